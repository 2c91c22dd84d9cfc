/** Shapes of messages and request headers. */
import type { JsonObject } from '../../../src/core/json/json-value.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base } from '../../support/sample-logs.ts'
import { at, type Case, clean, refused } from '../case.ts'

/** {@link base} with members of one message changed. */
function changed(seq: number, members: JsonObject): LogBuilder {
  return base().edit(seq, (row) => {
    const data = row.data as { message?: JsonObject }
    Object.assign(data.message ?? data, members)
    return undefined
  })
}

const result = { type: 'tool-result', toolCallId: 'c1', content: [] }
const config = { provider: 'p', model: 'm' }
const request = (header: JsonObject): LogBuilder =>
  base().edit(3, (row) => ({ ...row, data: { header, reason: 'initial' } }))

export const cases: readonly Case[] = [
  {
    name: 'answer-without-anything-in-it',
    why: 'Its data is null: nothing of it is left, so a repair takes it out and puts back what its call proves.',
    log: base().edit(4, (row) => ({ ...row, data: null })),
    findings: [
      at('message/id-missing', 4),
      at('step/outside', 4),
      at('pair/call-missing', 6),
      at('pair/surface-result-alone', 6),
    ],
    ...refused,
  },
  {
    name: 'message-without-id',
    why: 'It works live and fails when the session is opened again.',
    log: changed(1, { id: undefined }),
    findings: [at('message/id-missing', 1)],
    ...refused,
  },
  {
    name: 'message-of-single-characters',
    why: 'A stream fallback turned the message into one member a character.',
    log: base().edit(4, (row) => ({
      ...row,
      data: { turn: 1, step: 1, message: { 0: 'h', 1: 'i', content: [] } },
    })),
    findings: [
      at('message/id-missing', 4),
      at('pair/call-missing', 6),
      at('pair/surface-result-alone', 6, 'pair/call-missing'),
    ],
    ...refused,
  },
  {
    name: 'message-id-of-one-character',
    why: 'Any text is an id.',
    log: changed(1, { id: ' ' }),
    findings: [],
    ...clean,
    nearMissOf: ['message/id-missing'],
  },
  {
    name: 'user-message-of-the-assistant',
    why: 'The type of the event decides the role.',
    log: changed(1, { role: 'assistant' }),
    findings: [at('message/role-wrong', 1)],
    ...refused,
  },
  {
    name: 'result-with-role-tool',
    why: 'That is format 4.',
    log: changed(6, { role: 'tool' }),
    findings: [at('message/role-wrong', 6)],
    ...refused,
  },
  {
    name: 'result-with-role-user',
    why: 'In format 0 results come from the user.',
    log: changed(6, { role: 'user' }),
    findings: [],
    ...clean,
    nearMissOf: ['message/role-wrong'],
  },
  {
    name: 'source-without-kind',
    why: 'A message has to say where it is from.',
    log: changed(1, { source: {} }),
    findings: [at('message/source-invalid', 1)],
    ...refused,
  },
  {
    name: 'answer-of-no-model',
    why: 'An answer names the provider and the model that gave it.',
    log: changed(4, { source: { kind: 'model', provider: 'p', model: '' } }),
    findings: [at('message/source-invalid', 4)],
    ...refused,
  },
  {
    name: 'source-of-a-plugin',
    why: 'The list of kinds is open in format 0; migrations to later formats are stricter.',
    log: changed(1, { source: { kind: 'automation', runId: '1' } }),
    findings: [],
    ...clean,
    nearMissOf: ['message/source-invalid'],
  },
  {
    name: 'source-with-more-members',
    why: 'A plugin may add members, and give a summary without the notice form.',
    log: changed(1, {
      source: { kind: 'plugin', plugin: 'mem', form: 'recall', summary: 's', memory: { k: 1 } },
    }),
    findings: [],
    ...clean,
    nearMissOf: ['message/source-invalid'],
  },
  {
    name: 'content-as-text',
    why: 'Content is a list of blocks.',
    log: changed(1, { content: 'hi' }),
    findings: [at('message/content-invalid', 1)],
    ...refused,
  },
  {
    name: 'result-with-two-blocks',
    why: 'A tool result is exactly one block.',
    log: changed(6, { content: [result, result] }),
    findings: [at('message/content-invalid', 6)],
    ...refused,
  },
  {
    name: 'result-without-text',
    why: 'A tool may have nothing to say.',
    log: changed(6, { content: [result] }),
    findings: [],
    ...clean,
    nearMissOf: ['message/content-invalid', 'message/call-id-mismatch'],
  },
  {
    name: 'answer-without-content',
    why: 'It is legal, and yields no message for the model.',
    log: log().turn((turn) => turn.step((step) => step.assistant(''))),
    findings: [],
    ...clean,
    nearMissOf: ['message/content-invalid'],
  },
  {
    name: 'result-of-two-calls',
    why: 'Block and source name different calls.',
    log: changed(6, { content: [{ ...result, toolCallId: 'c2' }] }),
    findings: [at('message/call-id-mismatch', 6)],
    ...refused,
  },
  {
    name: 'request-without-model',
    why: 'DSH cannot send it.',
    log: request({ config: { provider: 'p' } }),
    findings: [at('message/request-invalid', 3)],
    ...refused,
  },
  {
    name: 'request-with-defaults-of-nothing',
    why: 'A default is marked that the configuration does not have.',
    log: request({ config, adapterDefaults: { maxTokens: true } }),
    findings: [at('message/request-invalid', 3)],
    ...refused,
  },
  {
    name: 'request-with-defaults',
    why: 'Every marked default is in the configuration.',
    log: request({ config: { ...config, maxTokens: 5 }, adapterDefaults: { maxTokens: true } }),
    findings: [],
    ...clean,
    nearMissOf: ['message/request-invalid'],
  },
]
