import type { Candidate } from '@assay/contract/recommendations.ts'
import { formatCost } from '@assay/ui/number-format.ts'
import { useElementSize } from '@mantine/hooks'
import { formatScore } from '../../evaluation/score-format.ts'
import page from '../../page/page.module.css'
import styles from './cost-calculator.module.css'
import { type CostScale, formatTick, scaleCosts } from './cost-scale.ts'
import { placePoints } from './place-points.ts'

interface Props {
  readonly candidates: readonly Candidate[]
  /** The labels in the order of the ranking. */
  readonly ranks: readonly string[]
}

interface Scored {
  readonly label: string
  readonly rank: number
  readonly cost: number
  readonly score: number
}

/** Cost against score. The points have their rank, and their label where there is room for it. */
export function ParetoChart({ candidates, ranks }: Props) {
  const scored = ranks.flatMap((label, at): Scored[] => {
    const { cost_usd: cost = null, scores } = candidates.find((one) => one.label === label) ?? {}
    if (cost === null || scores === undefined) return []
    const score = scores.reduce((sum, one) => sum + one, 0) / scores.length
    return [{ label, rank: at + 1, cost, score }]
  })
  const scale = scaleCosts(scored.map(({ cost }) => ({ costUsdP10: cost, costUsdP90: cost })))
  if (scale === undefined) return null
  return (
    <figure className={styles.pareto} aria-label="Score and cost per scenario">
      <figcaption className={page.heading}>Score and cost per scenario</figcaption>
      <Plot scored={scored} scale={scale} />
      <p className={page.note}>
        The numbers are the ranks below. The line joins the models that no other one beats in both
        score and cost. The cost scale is logarithmic.
      </p>
    </figure>
  )
}

function Plot({
  scored,
  scale,
}: {
  readonly scored: readonly Scored[]
  readonly scale: CostScale
}) {
  const { ref, width, height } = useElementSize()
  const isBeaten = ({ cost, score }: Scored) =>
    scored.some(
      (other) =>
        other.cost <= cost && other.score >= score && (other.cost < cost || other.score > score),
    )
  const points = placePoints(
    scored.map((one) => ({
      ...one,
      isOnFront: !isBeaten(one),
      x: (scale.positionOf(one.cost) / 100) * width,
      y: (1 - one.score) * height,
    })),
    { width, height },
  )
  const front = points.filter(({ isOnFront }) => isOnFront).toSorted((a, b) => a.cost - b.cost)
  return (
    <div className={styles.plot} ref={ref}>
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
      <svg aria-hidden>
        <polyline points={front.map(({ x, y }) => `${x},${y}`).join(' ')} />
      </svg>
      {points.map(({ label, rank, cost, score, x, y, side, isOnFront }) => (
        <span
          key={label}
          className={styles.point}
          data-front={isOnFront || undefined}
          data-side={side}
          title={`${label}: ${formatCost(cost)}, score ${formatScore(score)}`}
          style={{ left: x, top: y }}
        >
          {rank}
          <span className={side === undefined ? 'visually-hidden' : styles.pointLabel}>
            {label}
            <span className="visually-hidden">
              : {formatCost(cost)}, score {formatScore(score)}
              {isOnFront && ', beaten by no other one in both'}
            </span>
          </span>
        </span>
      ))}
    </div>
  )
}
