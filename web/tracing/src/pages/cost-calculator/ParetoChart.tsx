import type { Candidate, Recommendation } from '@assay/contract/recommendations.ts'
import { formatCost } from '@assay/ui/number-format.ts'
import { formatScore } from '../../evaluation/score-format.ts'
import page from '../../page/page.module.css'
import styles from './cost-calculator.module.css'
import { formatTick, scaleCosts } from './cost-scale.ts'

interface Props {
  readonly candidates: readonly Candidate[]
  readonly ranking: Recommendation['ranking']
}

/** Cost against score: no other candidate is both cheaper and better than those on the front. */
export function ParetoChart({ candidates, ranking }: Props) {
  const points = candidates.flatMap(({ label, cost_usd: cost, scores }) => {
    if (cost === null || scores === undefined) return []
    const score = scores.reduce((sum, one) => sum + one, 0) / scores.length
    const isOnFront = ranking.find((one) => one.label === label)?.on_pareto_front === true
    return [{ label, cost, score, isOnFront }]
  })
  const scale = scaleCosts(points.map(({ cost }) => ({ costUsdP10: cost, costUsdP90: cost })))
  if (scale === undefined) return null
  const placed = points
    .toSorted((a, b) => a.cost - b.cost)
    .map((one) => ({ ...one, left: scale.positionOf(one.cost), top: 100 * (1 - one.score) }))
  const front = placed.filter(({ isOnFront }) => isOnFront)
  return (
    <figure className={styles.pareto} aria-label="Score and cost per scenario">
      <figcaption className={page.heading}>Score and cost per scenario</figcaption>
      <div className={styles.plot}>
        {[1, 0.5, 0].map((score) => (
          <span key={score} className={styles.scoreTick} style={{ top: `${100 * (1 - score)}%` }}>
            <span>{score}</span>
          </span>
        ))}
        {scale.ticks.map((usd) => (
          <span key={usd} className={styles.costTick} style={{ left: `${scale.positionOf(usd)}%` }}>
            <span>{formatTick(usd)}</span>
          </span>
        ))}
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
          <polyline points={front.map(({ left, top }) => `${left},${top}`).join(' ')} />
        </svg>
        {placed.map(({ label, cost, score, left, top, isOnFront }, at) => (
          <span
            key={label}
            className={styles.point}
            data-front={isOnFront || undefined}
            // Labels of neighbors are on different sides of their points.
            data-below={at % 2 === 1 || undefined}
            data-side={left > 60 ? 'left' : 'right'}
            style={{ left: `${left}%`, top: `${top}%` }}
          >
            <span>
              {label}
              <span className="visually-hidden">
                : {formatCost(cost)}, score {formatScore(score)}
                {isOnFront && ', on the front'}
              </span>
            </span>
          </span>
        ))}
      </div>
      <p className={page.note}>
        The line joins the models that no other one beats in both. The cost scale is logarithmic.
      </p>
    </figure>
  )
}
