import { type VolumeName, type Volumes, volumeNames } from '@assay/contract/cost-calculator.ts'
import { formatTokens } from '@assay/ui/number-format.ts'

const labels: Readonly<Record<VolumeName, string>> = {
  turns: 'User messages',
  tokens_in: 'Input tokens',
  tokens_out: 'Output tokens',
  llm_calls: 'Model calls',
  tool_calls: 'Tool calls',
}

const decimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** The volumes that are known, as text. */
export function volumeRows(volumes: Volumes) {
  return volumeNames.flatMap((name) => {
    const format = (value: number | undefined) => {
      if (value === undefined) return undefined
      return name.startsWith('tokens') ? formatTokens(Math.round(value)) : decimal.format(value)
    }
    const row = {
      label: labels[name],
      p50: format(volumes[`${name}_p50`]),
      p90: format(volumes[`${name}_p90`]),
      mean: format(volumes[`${name}_mean`]),
    }
    return row.p50 === undefined && row.p90 === undefined && row.mean === undefined ? [] : [row]
  })
}
