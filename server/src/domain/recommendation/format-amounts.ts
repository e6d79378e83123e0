/*
 * Amounts in the sentences of a recommendation, as the pages show them: `$0.029`, `2.25 s`, `0.94`.
 */

export function formatUsd(usd: number): string {
  if (usd === 0) return '$0'
  if (usd < 0.000001) return '<$0.000001'
  if (usd < 0.00995) return `$${toTwoDigits(usd)}`
  if (usd < 0.9995) return `$${usd.toFixed(3)}`
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
}

function toTwoDigits(usd: number): string {
  const rounded = Number(usd.toPrecision(2))
  return rounded.toFixed(1 - Math.floor(Math.log10(rounded)))
}

export function formatMs(ms: number): string {
  if (ms > 0 && ms < 10) return `${Number(ms.toPrecision(2))} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 10_000) return `${(ms / 1000).toFixed(2)} s`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60).toLocaleString('en-US')} min ${String(seconds % 60).padStart(2, '0')} s`
}

/** A score below 1 is never shown as 1. */
export function formatScore(score: number): string {
  return (score < 1 ? Math.min(score, 0.99) : score).toFixed(2)
}
