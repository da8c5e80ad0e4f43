"""The style of the report: dark on white; one column on a phone, several on a desktop; also for paper."""

STYLE = """
:root { color-scheme: light; --ink: #1a1a1a; --soft: #595959; --line: #d5d5d5; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 1400px; color: var(--ink); background: #fff;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .2rem 0; }
h2 { font-size: 1.1rem; margin: 0 0 .4rem; }
h4 { font-size: .9rem; margin: .8rem 0 .2rem; }
p { margin: .3rem 0; }
.note, figcaption { color: var(--soft); font-size: .875rem; }
div.charts { columns: 26rem; column-gap: 1rem; }
div.charts section { break-inside: avoid; margin: 0 0 1rem; }
section { border: 1px solid var(--line); border-radius: 6px; padding: .8rem; min-width: 0; }
section.wide { margin: 1rem 0; }
figure { margin: 0; }
svg { display: block; width: 100%; max-width: 560px; height: auto; }
svg text { font-size: 11px; fill: var(--ink); font-family: inherit; }
svg text.name { font-weight: 600; }
svg text.group { font-weight: 700; font-size: 12px; }
svg .grid { stroke: #e4e4e4; } svg .axis { stroke: #444; } svg .median { stroke: #000; stroke-width: 2; }
svg .mean { fill: #fff; stroke: #000; } svg .mark { stroke: #666; stroke-dasharray: 4 3; }
svg .frontier { fill: none; stroke: #0072B2; stroke-width: 1.5; stroke-dasharray: 5 3; } svg .label { font-weight: 600; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th { text-align: left; font-weight: 600; border-bottom: 2px solid #444; padding: .25rem .5rem; vertical-align: bottom; }
td { border-bottom: 1px solid var(--line); padding: .25rem .5rem; font-variant-numeric: tabular-nums; }
td svg { width: 120px; }
td.number, th.number { text-align: right; }
.scroll { overflow-x: auto; }
.scroll td, .scroll th { overflow-wrap: normal; white-space: nowrap; }
.scroll td:first-child { white-space: normal; min-width: 8rem; }
table.scores td:not(.recipe) { white-space: nowrap; }
ul.legend { list-style: none; margin: .4rem 0 0; padding: 0; display: flex; flex-wrap: wrap;
  gap: .2rem 1rem; font-size: .875rem; }
ul.legend li { display: flex; align-items: center; gap: .35rem; } ul.legend svg { width: 14px; flex: none; }
ul.legend b { width: 1.3rem; text-align: center; border-radius: 3px; }
.badge { display: inline-block; border: 1px solid #888; border-radius: 3px; padding: 0 .35rem; margin-right: .25rem;
  font-size: .8125rem; font-variant-numeric: tabular-nums; }
.badge.lost { border-color: #a03c00; color: #8a3300; font-weight: 600; }
details.question { border-top: 1px solid var(--line); padding: .35rem 0; }
summary { cursor: pointer; }
blockquote { margin: .3rem 0; padding: .3rem .6rem; border-left: 3px solid var(--line); white-space: pre-wrap; font-size: .9rem;
  unicode-bidi: isolate; }
mark { color: #000; background: none; padding: 0 .1em; }
mark.found { background: #bfe6d8; border-bottom: 3px solid #007a59; } mark.found::before { content: "✓ "; }
mark.missed { background: #ffd9bf; border: 2px dashed #b34700; } mark.missed::before { content: "✗ "; }
mark.retrieved { background: #e6f1fa; border-bottom: 2px dotted #0072B2; }
b.rank { display: inline-block; min-width: 1.3em; padding: 0 .25em; margin-right: .2em; border-radius: 1em; background: #1a1a1a;
  color: #fff; font-size: .75rem; text-align: center; line-height: 1.4; }
ul.ranking { list-style: none; padding-left: 0; }
@media screen and (max-width: 760px) {
  body { padding: .6rem; font-size: 15px; }
  table.scores thead { display: none; }
  table.scores tr { display: grid; grid-template-columns: 1fr 1fr; border-bottom: 2px solid #999; padding: .3rem 0; }
  table.scores td { border: 0; padding: .1rem .3rem; } table.scores td.recipe { grid-column: 1 / -1; font-weight: 600; }
  td.recipe .note { font-weight: 400; }
  table.scores td::before { content: attr(data-name); display: block; color: var(--soft); font-size: .75rem; }
  table.scores td.recipe::before { content: none; } table.scores td.number { text-align: left; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 9pt; } div.charts { columns: 2; }
  section { border: 0; padding: 0 0 .5rem; } h2, h4 { break-after: avoid; } tr, svg { break-inside: avoid; }
  svg { max-height: 22cm; } table, .note, figcaption, .badge, ul.legend, blockquote { font-size: 8pt; }
  .scroll { overflow: visible; } .scroll td, .scroll th { white-space: normal; }
  td, th { padding: .15rem .25rem; } td svg { width: 80px; }
  details.question:not([open]) { break-inside: avoid; } * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
