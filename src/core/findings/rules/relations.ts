/** Relations that the readers of format 4 enforce. */
import { family } from '../rule.ts'
import { WRITER_BUG } from './shared-words.ts'

export const RELATION = family(
  {
    severity: 'error',
    layer: 'meaning',
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    guessAfterLoss: 'turn',
    relation: true,
    source: 'format.md §7.3, §12.E',
  },
  {
    'relation/turn': {
      title: 'a turn or step does not follow the one before',
      why: 'The readers of format 4 refuse the whole log: its turns and steps must be in order.',
      args: { type: 'name', problem: 'text' },
      message: (a) => `${a.type}: ${a.problem}`,
    },
    'relation/system-head': {
      title: 'a system message stands where none may',
      why: 'The readers of format 4 refuse the whole log: the system prompt must head the surface.',
      args: { type: 'name', problem: 'text' },
      message: (a) => `${a.type}: ${a.problem}`,
    },
    'relation/tool': {
      title: 'the life of a tool call is broken',
      why: 'The readers of format 4 refuse the whole log: every call must be announced, started and answered in its step.',
      args: { type: 'name', problem: 'text' },
      message: (a) => `${a.type}: ${a.problem}`,
    },
    'relation/compaction': {
      title: 'a compaction bracket does not fit',
      why: 'The readers of format 4 refuse the whole log: a compaction must be one closed bracket around what it hides.',
      settledLater: true,
      args: { type: 'name', problem: 'text' },
      message: (a) => `${a.type}: ${a.problem}`,
    },
    'relation/command': {
      title: 'a command record does not fit',
      why: 'The readers of format 4 refuse the whole log: a command must be run before it is done.',
      args: { type: 'name', problem: 'text' },
      message: (a) => `${a.type}: ${a.problem}`,
    },
    'relation/title': {
      title: 'a title cites what it may not',
      why: 'The readers of format 4 refuse the whole log: a title must cite messages of the user.',
      args: { type: 'name', problem: 'text' },
      message: (a) => `${a.type}: ${a.problem}`,
    },
    'relation/retry': {
      title: 'a retry does not follow the one before',
      why: 'The readers of format 4 refuse the whole log: attempts of a retry must be in order.',
      args: { type: 'name', problem: 'text' },
      message: (a) => `${a.type}: ${a.problem}`,
    },
    'relation/dispatch': {
      title: 'a tool dispatch does not fit',
      why: 'The readers of format 4 refuse the whole log: a dispatch must be started once and settled as started.',
      args: { type: 'name', problem: 'text' },
      message: (a) => `${a.type}: ${a.problem}`,
    },
    'relation/delivery': {
      title: 'an upload mark does not fit the session',
      why: 'The readers of format 4 refuse the whole log: an upload mark must name its own session and an earlier event.',
      settledLater: true,
      args: { type: 'name', problem: 'text' },
      message: (a) => `${a.type}: ${a.problem}`,
    },
    'relation/catalog': {
      title: 'the catalogue of child sessions does not fit',
      why: 'The readers of format 4 refuse the whole log: every child stands in the catalogue once, in a known shape.',
      args: { type: 'name', problem: 'text' },
      message: (a) => `${a.type}: ${a.problem}`,
    },
    'relation/tool-change': {
      title: 'a developer message adds a tool that is not there',
      why: 'The readers of format 4 refuse the whole log: an added tool must stand in the request header it names.',
      args: { type: 'name', problem: 'text' },
      message: (a) => `${a.type}: ${a.problem}`,
    },
    'relation/source': {
      title: 'a message names no producer',
      why: 'The readers of format 4 refuse the whole log: every message must say where it came from.',
      args: { type: 'name', problem: 'text' },
      message: (a) => `${a.type}: ${a.problem}`,
    },
  },
)
