import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  appBody,
  callCounts,
  changeOf,
  id,
  inOrganization,
  inProject,
  limitedList,
  pathId,
  removed,
  requestTimestamp,
  timestamp,
} from './fields.ts'
import { limits } from './limits.ts'
import { unpricedReasons } from './traces.ts'

/*
 * Prices of model calls: custom prices and aliases, which take precedence over the price list, and how a model name is resolved.
 */

const usd = z.number().min(0).max(limits.priceUsdMax.value)

const modelName = z.string().trim().min(1).max(limits.modelLength.value)
const wildcards = limits.modelWildcards.value
const modelPattern = modelName
  .refine((model) => model.split('*').length - 1 <= wildcards, {
    error: `must have at most ${wildcards} wildcards (*)`,
  })
  .describe(
    `as in spans, without the provider, or as in the price list; case-insensitive; \`*\` matches any characters, at most ${wildcards} times`,
  )
const providerName = z.string().trim().min(1).max(limits.providerLength.value)

/** Dollars per million tokens. */
const tokenPrices = {
  input_usd_per_mtok: usd,
  output_usd_per_mtok: usd,
  cache_read_usd_per_mtok: usd.nullish().describe('default: the input price'),
  cache_write_usd_per_mtok: usd
    .nullish()
    .describe('lifetime of five minutes or unknown; default: the input price'),
  cache_write_1h_usd_per_mtok: usd
    .nullish()
    .describe('lifetime of an hour; default: the price for five minutes'),
}

const longContext = z
  .object({ above_tokens: z.int().min(1), ...tokenPrices })
  .describe('the prices of the whole call when it has more input tokens than `above_tokens`')

const factor = z.number().min(0).max(limits.tierFactorMax.value)
const serviceTiers = z
  .object({ batch: factor.optional(), flex: factor.optional(), priority: factor.optional() })
  .describe('price factor of each service tier; a tier that is not listed has no price')

export const priceRuleKinds = ['price', 'alias'] as const

/** The writable fields of a rule. Which fields a kind requires or excludes is checked on the whole rule. */
const writable = {
  model: modelPattern,
  provider: providerName.nullish().describe('only for calls served by this provider'),
  valid_from: requestTimestamp.nullish().describe('for calls that started at this time or later'),
  valid_to: requestTimestamp.nullish().describe('for calls that started before this time'),
  note: z.string().trim().max(limits.priceNoteLength.value).nullish(),
  target_model: modelName.nullish().describe('of an alias: the actual model'),
  target_provider: providerName.nullish().describe('of an alias: the actual provider'),
  request_usd: usd.nullish().describe('per call'),
  long_context: longContext.nullish(),
  service_tiers: serviceTiers.nullish(),
  ...tokenPrices,
  input_usd_per_mtok: usd.nullish().describe('dollars per million tokens, here and below'),
  output_usd_per_mtok: usd.nullish(),
}

const newRule = z.object({ kind: z.enum(priceRuleKinds).default('price'), ...writable })

const priceMembers = [
  'input_usd_per_mtok',
  'output_usd_per_mtok',
  'cache_read_usd_per_mtok',
  'cache_write_usd_per_mtok',
  'cache_write_1h_usd_per_mtok',
  'request_usd',
  'long_context',
  'service_tiers',
] as const
const aliasMembers = ['target_model', 'target_provider'] as const

function checkRule(rule: z.output<typeof newRule>, context: z.RefinementCtx): void {
  const problem = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message })
  const isReported = (member: keyof typeof rule) =>
    rule[member] !== undefined && rule[member] !== null
  const own = rule.kind === 'price' ? priceMembers : aliasMembers
  const others = rule.kind === 'price' ? aliasMembers : priceMembers
  for (const member of own.slice(0, rule.kind === 'price' ? 2 : 1)) {
    if (!isReported(member)) problem(member, `is needed for ${kindLabels[rule.kind]}`)
  }
  for (const member of others) {
    if (isReported(member)) problem(member, `must not be set for ${kindLabels[rule.kind]}`)
  }
  if (
    rule.valid_from &&
    rule.valid_to &&
    Date.parse(rule.valid_from) >= Date.parse(rule.valid_to)
  ) {
    problem('valid_to', 'must be after valid_from')
  }
  for (const [prices, path] of [
    [rule, 'cache_read_usd_per_mtok'],
    [rule.long_context, 'long_context'],
  ] as const) {
    const { input_usd_per_mtok: input, cache_read_usd_per_mtok: read } = prices ?? {}
    if ((read ?? 0) > (input ?? Infinity))
      problem(path, 'must not be more than the price of input that is not cached')
  }
}

export const priceRuleInput = newRule.superRefine(checkRule)
/** A stored rule after a change is applied: the pattern may be from before the limit of wildcards. */
export const storedRuleInput = newRule.extend({ model: modelName }).superRefine(checkRule)
export type PriceRuleInput = z.output<typeof priceRuleInput>

const kindLabels = { price: 'a price', alias: 'an alias' } as const

const changedRule = changeOf(z.object({ ...writable, model: modelPattern.optional() }))

const nullablePrices = {
  input_usd_per_mtok: z.number().nullable(),
  output_usd_per_mtok: z.number().nullable(),
  cache_read_usd_per_mtok: z.number().nullable(),
  cache_write_usd_per_mtok: z.number().nullable(),
  cache_write_1h_usd_per_mtok: z.number().nullable(),
}

export const priceScopes = ['project', 'organization'] as const

export const priceRule = z
  .object({
    id,
    scope: z.enum(priceScopes).describe('the owner of the rule'),
    kind: z.enum(priceRuleKinds),
    model: z.string(),
    provider: z.string().nullable(),
    valid_from: timestamp.nullable(),
    valid_to: timestamp.nullable(),
    ...nullablePrices,
    request_usd: z.number().nullable(),
    long_context: z.object({ above_tokens: z.int(), ...nullablePrices }).nullable(),
    service_tiers: z
      .object({
        batch: z.number().optional(),
        flex: z.number().optional(),
        priority: z.number().optional(),
      })
      .nullable(),
    target_model: z.string().nullable(),
    target_provider: z.string().nullable(),
    note: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'PriceRule' })
export type PriceRule = z.output<typeof priceRule>

const inOrganizationRule = inOrganization.extend({ priceId: pathId })
const inProjectRule = inProject.extend({ priceId: pathId })

const precedence =
  "Precedence: the project's rules, its organization's, the price list. Among custom rules, an exact name wins over a pattern, a rule with a provider over one without, and a later `valid_from` over an earlier one. Rules apply from the next ingested batch on; stored spans keep their cost until they are re-priced."

const ofOrganization = { by: 'session', of: 'organization' } as const
const ofProject = { by: 'session', of: 'project' } as const
const byOrganizationManagers = { ...ofOrganization, anyOf: ['manage_org_settings'] } as const
const byProjectManagers = { ...ofProject, anyOf: ['manage_model_keys'] } as const

export const listOrganizationPrices = endpoint({
  method: 'GET',
  path: '/orgs/{orgId}/prices',
  tag: 'Prices',
  summary: 'List the prices and aliases of an organization, by model',
  access: ofOrganization,
  cost: 'cheap',
  params: inOrganization,
  success: { status: 200, data: limitedList(priceRule, 'priceRules') },
})

export const createOrganizationPrice = endpoint({
  method: 'POST',
  path: '/orgs/{orgId}/prices',
  tag: 'Prices',
  summary: 'Set a price, or an alias for a name, for all projects of an organization',
  description: `A price requires \`input_usd_per_mtok\` and \`output_usd_per_mtok\`, an alias \`target_model\`; 0 is a price. ${precedence}`,
  access: byOrganizationManagers,
  cost: 'cheap',
  params: inOrganization,
  body: appBody(priceRuleInput),
  success: { status: 201, data: priceRule },
  errors: ['CONFLICT'],
})

export const updateOrganizationPrice = endpoint({
  method: 'PATCH',
  path: '/orgs/{orgId}/prices/{priceId}',
  tag: 'Prices',
  summary: "Change an organization's price or alias; null removes a field",
  access: byOrganizationManagers,
  cost: 'cheap',
  params: inOrganizationRule,
  body: appBody(changedRule),
  success: { status: 200, data: priceRule },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const removeOrganizationPrice = endpoint({
  method: 'DELETE',
  path: '/orgs/{orgId}/prices/{priceId}',
  tag: 'Prices',
  summary: "Remove an organization's price or alias",
  access: byOrganizationManagers,
  cost: 'cheap',
  params: inOrganizationRule,
  success: removed,
  errors: ['NOT_FOUND'],
})

export const listProjectPrices = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/prices',
  tag: 'Prices',
  summary:
    'List the prices and aliases that apply in a project: its own, then those of its organization',
  access: ofProject,
  cost: 'cheap',
  params: inProject,
  success: {
    status: 200, // Those of the project and those of its organization.
    data: z.array(priceRule).max(2 * limits.priceRules.value),
  },
})

export const createProjectPrice = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/prices',
  tag: 'Prices',
  summary: 'Set a price, or an alias for a name, for a project',
  description: `Like \`POST /orgs/{orgId}/prices\`. ${precedence}`,
  access: byProjectManagers,
  cost: 'cheap',
  params: inProject,
  body: appBody(priceRuleInput),
  success: { status: 201, data: priceRule },
  errors: ['CONFLICT'],
})

export const updateProjectPrice = endpoint({
  method: 'PATCH',
  path: '/projects/{projectId}/prices/{priceId}',
  tag: 'Prices',
  summary: "Change a project's own price or alias; null removes a field",
  access: byProjectManagers,
  cost: 'cheap',
  params: inProjectRule,
  body: appBody(changedRule),
  success: { status: 200, data: priceRule },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const removeProjectPrice = endpoint({
  method: 'DELETE',
  path: '/projects/{projectId}/prices/{priceId}',
  tag: 'Prices',
  summary: "Remove a project's own price or alias",
  access: byProjectManagers,
  cost: 'cheap',
  params: inProjectRule,
  success: removed,
  errors: ['NOT_FOUND'],
})

export const resolvedPrice = z
  .object({
    price: z
      .object({
        source: z.string().describe('the value of `price_source` in spans'),
        date: z.iso.date().describe('the first day of the price, or the date of the price list'),
        scope: z.enum([...priceScopes, 'list']),
        rule_id: id.nullable().describe('of a custom price'),
        listed_provider: z.string().nullable(),
        listed_model: z.string().nullable(),
        service_tier_factor: z.number().describe('price factor of the service tier'),
        input_usd_per_mtok: z.number(),
        output_usd_per_mtok: z.number(),
        cache_read_usd_per_mtok: z.number(),
        cache_write_usd_per_mtok: z.number(),
        cache_write_1h_usd_per_mtok: z.number(),
        request_usd: z.number(),
        long_context: limitedList(
          z.object({
            above_tokens: z.int(),
            input_usd_per_mtok: z.number(),
            output_usd_per_mtok: z.number(),
            cache_read_usd_per_mtok: z.number(),
            cache_write_usd_per_mtok: z.number(),
            cache_write_1h_usd_per_mtok: z.number(),
          }),
          'longContextPrices',
        ),
      })
      .nullable(),
    alias: z
      .object({ rule_id: id, target_model: z.string(), target_provider: z.string().nullable() })
      .nullable(),
    unpriced_reason: z.enum(unpricedReasons).nullable(),
    why: z.string().describe('the same, as a sentence'),
  })
  .meta({ id: 'ResolvedPrice' })
export type ResolvedPrice = z.output<typeof resolvedPrice>

const priceQuestion = z.object({
  model: z.string().min(1).max(limits.modelLength.value),
  provider: z.string().max(limits.providerLength.value).optional(),
  service_tier: z.string().max(limits.serviceTierLength.value).optional(),
  at: requestTimestamp.optional().describe('start time of the call; default: now'),
})

export const resolveOrganizationPrice = endpoint({
  method: 'GET',
  path: '/orgs/{orgId}/prices/resolve',
  tag: 'Prices',
  summary: 'Resolve the price of a model name in the projects of an organization',
  access: ofOrganization,
  cost: 'cheap',
  params: inOrganization,
  query: priceQuestion,
  success: { status: 200, data: resolvedPrice },
})

export const resolveProjectPrice = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/prices/resolve',
  tag: 'Prices',
  summary: 'Resolve the price of a model name in a project',
  access: ofProject,
  cost: 'cheap',
  params: inProject,
  query: priceQuestion,
  success: { status: 200, data: resolvedPrice },
})

export const observedModel = z
  .object({
    model: z.string(),
    provider: z.string().nullable(),
    service_tier: z.string().nullable(),
    span_count: z
      .int()
      .describe(
        'calls, with and without tokens; a span that repeats the tokens of spans below it does not count',
      ),
    ...callCounts,
    cost_usd: z
      .number()
      .nullable()
      .describe('of the spans with a known cost that does not repeat costs of spans below'),
    last_seen_at: timestamp,
    compared: z
      .object({ span_count: z.int(), reported_usd: z.number(), computed_usd: z.number() })
      .nullable()
      .describe('of the spans with both a reported and a computed cost'),
    resolved: resolvedPrice.describe('the current price of a call at `last_seen_at`'),
  })
  .meta({ id: 'ObservedModel' })
export type ObservedModel = z.output<typeof observedModel>

export const listObservedModels = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/prices/models',
  tag: 'Prices',
  summary:
    'List the models that a project has called recently, with the price of each, unpriced models first',
  description: `Reads the newest ${limits.observedModelTraces.value} traces of the range and lists at most ${limits.observedModels.value} models.`,
  access: ofProject,
  cost: 'expensive',
  params: inProject,
  query: z.object({
    from: requestTimestamp
      .optional()
      .describe('traces that started at this time or later; default: a week ago'),
    to: requestTimestamp.optional().describe('traces that started before this time'),
  }),
  success: {
    status: 200,
    data: limitedList(observedModel, 'observedModels'),
    meta: z.object({
      trace_count: z.int().describe('traces examined'),
      is_complete: z.boolean().describe('whether all traces of the time range were examined'),
    }),
  },
  errors: ['INTERNAL_ERROR 503'],
})
