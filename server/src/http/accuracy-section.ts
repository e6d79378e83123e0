import accuracy from '@assay/contract/estimate-accuracy.json' with { type: 'json' }

/*
 * How well cost estimates predicted recorded runs, as a section of the page at /docs. The figures are written by
 * `npm run bench:estimate`, and have no characters to escape.
 */

export function accuracySection(): string {
  const estimates = accuracy.estimates.map(
    (one) =>
      `<tr><th scope="row">${runsOf(one.runs)}</th><td>${signed(one.bias)}</td><td>${percent(one.meanError)}</td><td>${percent(one.totalsInInterval)}</td><td>${percent(one.runsInInterval)}</td></tr>`,
  )
  const baselines = accuracy.baselines.map(
    ({ name, bias, meanError }) =>
      `<tr><th scope="row">${name}</th><td>${signed(bias)}</td><td>${percent(meanError)}</td></tr>`,
  )
  return `<section id="estimate-accuracy"><h2>Accuracy of cost estimates</h2>
<p>Measured with 200 public conversations of a support agent with 14 tools (gpt-4o in the airline domain of tau-bench),
400 times: from a few recorded runs, an estimate predicts the cost of 25 other tasks, which is then compared with what
they cost. The assumptions of an estimate without recorded runs come from these conversations too. For another kind of
agent, expect larger errors with fewer than ten runs. Measured on ${accuracy.measuredOn}.</p>
${table('Estimates', ['From', 'Bias', 'Mean error', 'Totals within the 80% interval', 'Single runs within it'], estimates)}
<p>The same from ten recorded runs with simpler methods:</p>
${table('Simpler methods', ['Method', 'Bias', 'Mean error'], baselines)}</section>`
}

function table(label: string, heads: readonly string[], rows: readonly string[]): string {
  return `<div class="wide" tabindex="0" role="region" aria-label="${label}">
<table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead>
<tbody>${rows.join('')}</tbody></table></div>`
}

function runsOf(count: number): string {
  if (count === 0) return 'no recorded run'
  return count === 1 ? '1 recorded run' : `${count} recorded runs`
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)}%`
}

function signed(share: number): string {
  return `${share > 0 ? '+' : ''}${percent(share)}`
}
