/**
 * How pages look: by day and by night, on a phone and on paper. Colours of text keep a contrast of 4.5 to 1 or more to
 * what they are on. On paper everything that is folded is opened, where the browser lets a style do that.
 */

const LIGHT = `
  --page: #ffffff; --panel: #f4f6f8; --line: #d0d7de; --text: #1b1f24; --dim: #57606a;
  --user: #0550ae; --assistant: #116329; --tool: #6639ba;
  --ok: #116329; --error: #b31d28; --warning: #7d4e00; --info: #0550ae;`

const DARK = `
  --page: #0f1419; --panel: #182028; --line: #37414b; --text: #e6e9ed; --dim: #9aa4af;
  --user: #79b8ff; --assistant: #7ee2a0; --tool: #c9a6ff;
  --ok: #7ee2a0; --error: #ff8f87; --warning: #f0b85a; --info: #79b8ff;`

export const STYLE = `:root { color-scheme: light dark; ${LIGHT}
}
@media (prefers-color-scheme: dark) { :root { ${DARK}
} }
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 2rem 0 .75rem; }
h3 { font-size: 1rem; line-height: 1.4; margin: 1.25rem 0 .25rem; }
p { margin: .4rem 0; }
a { color: var(--info); }
:focus-visible { outline: 2px solid var(--info); outline-offset: 2px; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .875rem; }
pre { margin: .4rem 0; padding: .6rem .75rem; background: var(--panel); border-radius: .4rem;
  white-space: pre-wrap; overflow-wrap: anywhere; }
pre.said { padding: 0; background: none; font: inherit; }
dl { margin: .5rem 0; }
dl div { display: grid; grid-template-columns: minmax(7rem, 11rem) 1fr; gap: .75rem; padding: .1rem 0; }
dt { color: var(--dim); } dd { margin: 0; min-width: 0; }
ul.plain { list-style: none; margin: .5rem 0; padding: 0; } ul.plain li { padding: .1rem 0; }
header .kicker, .meta, .note, .label, footer { color: var(--dim); font-size: .875rem; }
footer { margin-top: 3rem; padding-top: .75rem; border-top: 1px solid var(--line); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: .75rem 0 0; padding: 0; }
.skip { position: absolute; left: -100vw; } .skip:focus { position: static; }
.tone-strong { font-weight: 600; } .tone-dim { color: var(--dim); }
.tone-ok { color: var(--ok); } .tone-error { color: var(--error); }
.tone-warning { color: var(--warning); } .tone-info { color: var(--info); }
.tone-user { color: var(--user); } .tone-assistant { color: var(--assistant); } .tone-tool { color: var(--tool); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .875rem; }
th, td { padding: .2rem .75rem .2rem 0; text-align: left; vertical-align: top; }
th { color: var(--dim); font-weight: 600; border-bottom: 1px solid var(--line); white-space: nowrap; }
td { overflow-wrap: normal; } td:last-child { overflow-wrap: anywhere; } td.left:last-child { min-width: 16rem; }
.right { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
summary { cursor: pointer; } summary h3 { display: inline; margin: 0; }
.verdict { border: 1px solid var(--line); border-left: .4rem solid currentColor; border-radius: .4rem;
  padding: .6rem .9rem; font-size: 1.1rem; font-weight: 600; }
.finding { border: 1px solid var(--line); border-radius: .4rem; padding: .6rem .9rem; margin: .75rem 0; }
.finding h3 { margin: 0 0 .25rem; } .finding ul { margin: .4rem 0; padding-left: 1.2rem; }
.who { font-weight: 600; }
.turn { border-top: 1px solid var(--line); padding: .4rem 0; }
.turn > summary { padding: .25rem 0; }
.entry { margin: .75rem 0; padding-left: .9rem; border-left: .2rem solid var(--line); }
.entry > p:first-child { margin: 0; }
.entry.user { border-color: var(--user); } .entry.assistant { border-color: var(--assistant); }
.entry.tool { border-color: var(--tool); } .entry.failed { border-color: var(--error); }
.entry.unfinished { border-color: var(--warning); border-left-style: dashed; }
.inherited > .entry { border-left-style: dotted; }
.entry.shadowed { border-left-style: dashed; }
.prompt { font-style: italic; } ul.troubled li { margin: .25rem 0; }
.mark { border: 1px dashed var(--dim); border-radius: .4rem; padding: .5rem .9rem; margin: 1rem 0; }
.mark.crash, .mark.gap { border-color: var(--error); }
summary code { overflow-wrap: anywhere; }
figure { margin: 1.5rem 0; } figcaption h3 { margin: 0; }
.plot { display: grid; grid-template-columns: 4rem 1fr; gap: .2rem .6rem; margin-top: .5rem;
  color: var(--dim); font-size: .8125rem; font-variant-numeric: tabular-nums; }
.plot .highest { grid-column: 1; grid-row: 1; text-align: right; }
.plot .lowest { grid-column: 1; grid-row: 1; align-self: end; text-align: right; }
.plot svg { grid-column: 2; grid-row: 1; width: 100%; height: 9rem; background: var(--panel); border-radius: .25rem; }
.plot svg.lane { height: 2.5rem; }
.plot .axis { grid-column: 2; display: flex; justify-content: space-between; gap: 1rem; }
.curve { fill: none; stroke: var(--user); stroke-width: 2; vector-effect: non-scaling-stroke; }
.area { fill: var(--user); opacity: .18; }
.drop { stroke: var(--dim); stroke-width: 1; vector-effect: non-scaling-stroke; }
.drop.compaction { stroke: var(--error); stroke-width: 2; }
.bar-ok { fill: var(--ok); } .bar-bad { fill: var(--error); }
.bar-sent { fill: var(--user); } .bar-cached { fill: var(--dim); } .bar-written { fill: var(--tool); }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: .4rem 0; padding: 0;
  color: var(--dim); font-size: .875rem; }
.legend svg { width: .8rem; height: .8rem; margin-right: .4rem; vertical-align: -.05rem; }
@media (max-width: 30rem) {
  body { padding: .75rem; }
  dl div { grid-template-columns: 7rem 1fr; }
}
@media print {
  :root { color-scheme: light; ${LIGHT}
  }
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav, .skip { display: none; }
  details::details-content { content-visibility: visible; height: auto; opacity: 1; }
  h2, h3, summary { break-after: avoid; }
  figure, .finding { break-inside: avoid; }
  svg { print-color-adjust: exact; }
}
`
