import { type VolumeName, type Volumes, volumeNames } from '@assay/contract/cost-calculator.ts'
import { formatTokens } from '@assay/ui/number-format.ts'

const labels: Readonly<Record<VolumeName, string>> = {
  turns: 'User messages',
  tokens_in: 'Input tokens',
  tokens_out: 'Output tokens',
  llm_calls: 'Model calls',
  tool_calls: 'Tool calls',
}

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 0 })
const decimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

type OwnVolumes = NonNullable<Volumes['by_model']>[number]

/** The volumes that are known, as text. */
export function volumeRows(volumes: Volumes | OwnVolumes) {
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

/** What else recorded runs show, as sentences. */
export function describeLearned(
  { cached_share: share }: Pick<Volumes, 'cached_share'>,
  { tool_output_tokens: output }: Volumes,
): string {
  return [
    ...(share === undefined ? [] : [`A prompt cache had ${percent.format(share)} of the input.`]),
    ...(output === undefined
      ? []
      : [`A tool returns ${formatTokens(Math.round(output))} tokens on average.`]),
  ].join(' ')
}
