import { omitUndefined } from '@assay/account/routes/search-params.ts'
import { defaultEstimateModels, type Volumes } from '@assay/contract/cost-calculator.ts'
import { limits } from '@assay/contract/limits.ts'
import type { AgentDraft } from '../../api/agent-drafts.ts'
import type { EstimateBody } from '../../api/cost-estimate.ts'
import { parseNumber } from '../../form/parse-number.ts'
import type { EstimateSearch } from './estimate-search.ts'

/*
 * The request for an estimate, from a draft of an agent and the settings in the URL.
 */

export const amountRanges = {
  scenarios: { min: 1, max: limits.scenariosPerRun.value, isWhole: true },
  turns: { min: 0, max: limits.callsPerRun.value, isWhole: false },
  calls: { min: 0, max: limits.callsPerRun.value, isWhole: false },
  month: { min: 0, max: limits.runsPerMonth.value, isWhole: false },
} as const
export type AmountName = keyof typeof amountRanges

export const defaultScenarios = 3
/** Shown in the field, so that a monthly cost is there from the start. */
export const defaultRunsPerMonth = 1000

/** What is wrong with the text of a number; undefined for a valid or an empty one. */
export function amountError(name: AmountName, text: string): string | undefined {
  const { min, max, isWhole } = amountRanges[name]
  const value = parseNumber(text)
  if (value === null) return undefined
  if (Number.isNaN(value) || (isWhole && !Number.isInteger(value))) {
    return isWhole ? 'Must be a whole number' : 'Must be a number'
  }
  const limit = value < min ? `at least ${min}` : `at most ${max.toLocaleString('en-US')}`
  return value < min || value > max ? `Must be ${limit}` : undefined
}

/** Undefined for an empty or invalid text. */
export function readAmount(name: AmountName, text: string | undefined): number | undefined {
  if (text === undefined || amountError(name, text) !== undefined) return undefined
  return parseNumber(text) ?? undefined
}

export function splitModels(text: string): readonly string[] {
  const names = text
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter(Boolean)
  return [...new Set(names)]
}

export function requestedModels({ models = '' }: EstimateSearch): readonly string[] {
  const names = splitModels(models)
  return names.length === 0 ? defaultEstimateModels : names
}

/** @param configIds the models of the organization, which an estimate may request instead of listed ones. */
export function toEstimateBody(
  { agent, imported }: AgentDraft,
  search: EstimateSearch,
  configIds: readonly string[],
): EstimateBody {
  return {
    agent_config: agent,
    ...(search.own === undefined
      ? { models: [...requestedModels(search)] }
      : { model_config_ids: configIds.slice(0, limits.estimatedModels.value) }),
    scenario_count: readAmount('scenarios', search.scenarios) ?? defaultScenarios,
    include_multi_turn: search.multi !== undefined,
    caching: search.uncached === undefined,
    service_tier: search.tier ?? 'standard',
    volumes: toVolumes(imported, search),
  }
}

/** Recorded volumes with what is tried in their place, or what is entered alone. */
function toVolumes(imported: Volumes | undefined, search: EstimateSearch): Volumes {
  const turns = readAmount('turns', search.turns)
  const calls = readAmount('calls', search.calls)
  const entered = readAmount('month', search.month)
  const origin = entered === undefined ? 'prior' : 'user'
  const month =
    entered === undefined && imported?.runs_per_month !== undefined
      ? {}
      : ({ runs_per_month: entered ?? defaultRunsPerMonth, runs_per_month_origin: origin } as const)
  if (imported === undefined)
    return omitUndefined({ turns_mean: turns, llm_calls_mean: calls, ...month })
  const assumed = omitUndefined({ turns, llm_calls: calls })
  const isChanged = Object.keys(assumed).length > 0
  return { ...imported, ...month, ...(isChanged ? { assumed } : {}) }
}
