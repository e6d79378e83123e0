import type { AgentCounts } from './agent-counts.ts'
import { type ClassCounts, contentClasses } from './content-class.ts'

/*
 * How models differ beside their prices: tokens per o200k token by class of content, overhead and reasoning. Published
 * measurements and our own, rounded; they are within about 15 %.
 */

export interface ModelTraits {
  readonly family: Family
  readonly factors: ClassCounts
  readonly tools: 'typed' | 'json'
  /** Added to every call by the provider. */
  readonly requestTokens: number
  /** Added once when there are tools. */
  readonly toolPreambleTokens: number
  /** Output that is billed but not sent again, per call. */
  readonly reasoningTokens: number
}

export type Family = 'openai' | 'claude' | 'claude-4.7' | 'gemini' | 'mistral' | 'other'

/** `counterFactor`: what the provider of recorded calls reported per token that these traits count. */
export function traitsOf(model: string, counterFactor = 1): ModelTraits {
  const name = model.toLowerCase()
  const family = familyOf(name)
  const { factors, tools, requestTokens, toolPreambleTokens } = families[family]
  const scaled = contentClasses.map((one) => [one, factors[one] * counterFactor])
  return {
    ...{ family, tools, factors: Object.fromEntries(scaled) as ClassCounts },
    requestTokens: requestTokens * counterFactor,
    toolPreambleTokens: toolPreambleTokens * counterFactor,
    reasoningTokens: reasons(name) ? priorReasoningTokens : 0,
  }
}

/** What every call sends, in tokens of the model. */
export function fixedTokens(counts: AgentCounts, traits: ModelTraits) {
  const tools = traits.tools === 'typed' ? counts.typedTools : counts.jsonTools
  const preamble = counts.toolCount === 0 ? 0 : traits.toolPreambleTokens
  return {
    prompt: toModelTokens(counts.prompt, traits),
    tools: toModelTokens(tools, traits) + preamble,
  }
}

function toModelTokens(counts: ClassCounts, { factors }: ModelTraits): number {
  return contentClasses.reduce((sum, name) => sum + counts[name] * factors[name], 0)
}

/** For messages and tool results, whose text is not known. */
export function messageFactor({ factors }: ModelTraits): number {
  return (factors.prose + factors.json) / 2
}

/** The models of the 4.7 generation and later have another tokenizer. */
function familyOf(name: string): Family {
  if (name.includes('claude')) {
    const version =
      /claude-(?:opus|sonnet|haiku|fable|mythos)-(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/.exec(name)
    const [major, minor] = [Number(version?.[1] ?? 0), Number(version?.[2] ?? 0)]
    return major > 4 || (major === 4 && minor >= 7) ? 'claude-4.7' : 'claude'
  }
  if (/gemini|gemma/.test(name)) return 'gemini'
  if (/gpt|davinci|codex|(?:^|[/:])o\d/.test(name)) return 'openai'
  return /mistral|mixtral|ministral|magistral|codestral|devstral|pixtral/.test(name)
    ? 'mistral'
    : 'other'
}

function reasons(name: string): boolean {
  if (/non-reasoning|chat-latest|-chat(?:$|-)/.test(name)) return false
  return /(?:^|[/:])o\d|gpt-(?:[5-9]|oss)|gemini-(?:2\.5-pro|[3-9])|grok-[4-9]|reasoner|-r1|magistral|thinking|deepseek-v[4-9]/.test(
    name,
  )
}

/** From a comparison of a reasoning model with another one on the same tasks; varies with the effort. */
const priorReasoningTokens = 300

type FamilyTraits = Omit<ModelTraits, 'family' | 'reasoningTokens'>

const same: ClassCounts = { prose: 1, code: 1, json: 1, digits: 1, cjk: 1, opaque: 1 }

const families: Readonly<Record<Family, FamilyTraits>> = {
  openai: { factors: same, tools: 'typed', requestTokens: 6, toolPreambleTokens: 0 },
  claude: {
    factors: { prose: 1.2, code: 1.2, json: 1.33, digits: 1.16, cjk: 1.35, opaque: 1.2 },
    ...{ tools: 'json', requestTokens: 6, toolPreambleTokens: 346 },
  },
  'claude-4.7': {
    factors: { prose: 1.53, code: 1.45, json: 1.7, digits: 1.25, cjk: 1.35, opaque: 1.3 },
    ...{ tools: 'json', requestTokens: 6, toolPreambleTokens: 346 },
  },
  gemini: {
    factors: { prose: 1.04, code: 1.22, json: 1.38, digits: 1.52, cjk: 1.12, opaque: 1.3 },
    ...{ tools: 'json', requestTokens: 0, toolPreambleTokens: 0 },
  },
  mistral: {
    factors: { ...same, prose: 1.06, json: 1.06, cjk: 1.1 },
    ...{ tools: 'json', requestTokens: 3, toolPreambleTokens: 0 },
  },
  other: {
    factors: { ...same, prose: 1.03, code: 1.03, json: 1.03 },
    ...{ tools: 'json', requestTokens: 3, toolPreambleTokens: 0 },
  },
}
