import { formatCount, formatTokens } from '@assay/ui/number-format.ts'
import { CostText } from '../../parts/CostText.tsx'
import type { SpanTree } from '../../spans/span-tree.ts'
import type { Usage, UsageSums } from '../../spans/usage-sums.ts'
import styles from './tree.module.css'
import type { TreeRow } from './tree-rows.ts'

interface Props {
  readonly row: TreeRow
  readonly tree: SpanTree
  readonly sums: UsageSums
}

/** Tokens and cost: of the span, or of all that a closed row hides. */
export function RowUsage({ row, tree, sums }: Props) {
  const usage = findUsage(row, tree, sums)
  if (usage === undefined) return null
  const { tokensIn, tokensOut, costUsd } = usage
  const tokens = tokensIn + tokensOut
  return (
    <span className={styles.usage}>
      {tokens > 0 && (
        <span
          className={styles.tokens}
          title={`${formatCount(tokensIn)} input, ${formatCount(tokensOut)} output tokens`}
        >
          {formatTokens(tokens)}
          <span className="visually-hidden"> tokens</span>
        </span>
      )}
      {(costUsd !== null || usage.model_call_count > 0) && <CostText usd={costUsd} calls={usage} />}
    </span>
  )
}

/** Undefined for an open group, whose members have their own, and without tokens or cost. */
function findUsage(row: TreeRow, tree: SpanTree, sums: UsageSums): Usage | undefined {
  if (row.is === 'group') return row.isOpen ? undefined : sums(row.members)
  const node = tree.nodes[row.at]
  if (node === undefined) return undefined
  if (node.children.length > 0 && !row.isOpen) return sums([row.at])
  const { tokens_in, tokens_out, cost_usd, model } = node.span
  if (tokens_in === null && tokens_out === null && cost_usd === null) return undefined
  const isCall = tokens_in !== null && (model ?? '') !== ''
  return {
    ...{ tokensIn: tokens_in ?? 0, tokensOut: tokens_out ?? 0, costUsd: cost_usd },
    ...{ model_call_count: isCall ? 1 : 0, unpriced_call_count: 0 },
  }
}
