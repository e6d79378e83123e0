import type { ModelEstimate } from '@assay/contract/cost-calculator.ts'
import { formatCount, formatTokens } from '@assay/ui/number-format.ts'
import { categoryLabels } from '../../scenarios/category-labels.ts'

/*
 * The assumptions of an estimate in plain words.
 */

type Assumption = ModelEstimate['assumptions'][number]

const labels: Readonly<Record<string, string>> = {
  recorded_runs: 'Recorded runs, of all models',
  recorded_runs_of_model: 'Recorded runs, of this model only',
  runs: 'Scenarios',
  turns_per_run: 'User messages per run',
  calls_per_run: 'Model calls per run',
  calls_spread: 'How much the number of calls varies',
  tool_calls_per_run: 'Tool calls per run',
  output_per_call: 'Output of each call',
  tool_output: 'Result of each tool call',
  growth_per_call: 'Added to the context between two calls',
  run_cost_spread: 'How much the cost of a run varies',
  runs_per_month: 'Runs per month',
  prompt: 'System prompt, tone and memory',
  tools: 'Tool definitions',
  prompt_and_tools: 'Size of the prompt and the tools',
  prose_token_factor: 'Tokens of prose, compared with OpenAI models',
  counter_factor: 'Input tokens of your recorded calls, compared with counted ones',
  reasoning_per_call: 'Reasoning of each call',
  cached_share: 'Input that a prompt cache had',
  cache_hit_share: 'Calls that find the earlier context in the prompt cache',
}

export const originLabels: Readonly<Record<Assumption['origin'], string>> = {
  imported: 'Your recorded runs',
  prior: 'Assumed',
  user: 'Your agent and settings',
}

/** The label of `happy_path.calls_per_run` or `calls_per_run`, and its category if it has one. */
export function labelAssumption(name: string): { label: string; category: string | undefined } {
  const [, category, measure = name] = /^(?:(\w+)\.)?(\w+)$/.exec(name) ?? []
  return {
    label: labels[measure] ?? measure.replaceAll('_', ' '),
    category: category === undefined ? undefined : (categoryLabels[category] ?? category),
  }
}

const decimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 0 })

export function formatAssumption({ value, unit }: Pick<Assumption, 'value' | 'unit'>): string {
  switch (unit) {
    case 'tokens':
      return `${formatTokens(Math.round(value))} tokens`
    case 'share':
      return percent.format(value)
    case 'reported tokens per counted token':
      return `${formatFactor(value, 3)} as many`
    case 'tokens per o200k token':
      return value === 1 ? 'as many' : `${formatFactor(value)} as many`
    case 'standard deviation of the logarithm':
      return value === 0
        ? 'not at all'
        : `mostly within a factor of ${decimal.format(Math.exp(value))}`
    case 'runs':
      return formatCount(value)
    default:
      return decimal.format(value)
  }
}

/** `1.6 times`. */
export function formatFactor(factor: number, maximumSignificantDigits = 2): string {
  return `${new Intl.NumberFormat('en-US', { maximumSignificantDigits }).format(factor)} times`
}

/** Of all scenarios, in the mean; undefined if the estimate does not have the assumption. */
export function meanAssumption(
  assumptions: readonly Assumption[],
  measure: string,
): number | undefined {
  const find = (name: string) => assumptions.find((one) => one.name === name)?.value
  const whole = find(measure)
  if (whole !== undefined) return whole
  let [runs, sum] = [0, 0]
  for (const category of Object.keys(categoryLabels)) {
    const count = find(`${category}.runs`) ?? 0
    runs += count
    sum += count * (find(`${category}.${measure}`) ?? 0)
  }
  return runs === 0 ? undefined : sum / runs
}
