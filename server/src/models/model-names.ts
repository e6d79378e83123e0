import { type Host, hostOf } from './model-hosts.ts'

/*
 * How a model's name, as senders write it, is to be sought in the price list: under which providers, and in
 * which spellings, the likeliest first.
 */

export type Search =
  | { readonly lookups: readonly Lookup[] }
  /** There is nothing to look for. */
  | { readonly none: 'local_model' | 'unknown_provider' | 'unknown_model' }

export interface Lookup {
  readonly provider: string
  /** In lower case. */
  readonly name: string
}

/** `provider` is the sender's word for who served the call. */
export function searchFor(provider: string | null, model: string): Search {
  const given = provider === null ? passing : (hostOf(provider) ?? unknownHost)
  // Whatever the name says: there it costs what it costs there.
  if (given.kind === 'local') return { none: 'local_model' }
  if (given.kind === 'unlisted') return { none: 'unknown_provider' }
  const parts = partsOf(plainName(model), given)
  const { host } = parts
  if (host.kind === 'local') return { none: 'local_model' }
  if (host.kind === 'unlisted' || host.kind === 'unknown') return { none: 'unknown_provider' }
  const lookups: Lookup[] = []
  const seek = (where: string, names: readonly string[]) => {
    for (const name of names) {
      for (const spelling of spellingsOf(name, where)) {
        if (!isOpenWeights(where, spelling)) lookups.push({ provider: where, name: spelling })
      }
    }
  }
  if (host.kind === 'listed') seek(host.provider, parts.names)
  // Those who pass calls on, and whatever speaks the language of OpenAI's or Anthropic's, bill as the maker does.
  const passesOn = host.kind === 'passing' || makersLanguages.has(host.provider)
  const maker = passesOn ? (parts.maker ?? makerOf(parts.names.at(-1) ?? '')) : undefined
  if (maker !== undefined) seek(maker, parts.names.slice(-1))
  return lookups.length === 0
    ? { none: 'unknown_model' }
    : { lookups: lookups.slice(0, maxLookups) }
}

const passing: Host = { kind: 'passing' }
const unknownHost = { kind: 'unknown' } as const
type AnyHost = Host | typeof unknownHost

const makersLanguages: ReadonlySet<string> = new Set(['openai', 'anthropic', 'openrouter'])

/** A name is anybody's text: beyond this it is none. */
const maxLookups = 64

/** The model's name with ever fewer words before it, whoever served it. */
export function namesOf(model: string): readonly string[] {
  return partsOf(plainName(model), passing).names
}

/** Without what terminals and coding agents put round it: colors, `[1m]` for a large context, spaces. */
function plainName(model: string): string {
  return model
    .replaceAll(colors, '')
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, '-')
    .replace(/-?\[1m\]$/, '')
}

// oxlint-disable-next-line no-control-regex -- the escape character is what begins them
const colors = /\u001b\[[\d;]*m|\[\d*m(?!\])/g

interface NameParts {
  readonly host: AnyHost
  /** The name with ever fewer words before it. Hosts of many makers list it with the maker's. */
  readonly names: readonly string[]
  /** Whose model it is by the last word before it. */
  readonly maker: string | undefined
}

function partsOf(whole: string, given: AnyHost): NameParts {
  let host = given
  let maker: string | undefined
  let rest = whole
  const cloud = ofCloud(whole)
  if (cloud !== undefined) {
    rest = cloud.rest
    if (host.kind !== 'listed') host = { kind: 'listed', provider: cloud.provider }
  }
  const names = [rest]
  for (let words = 0; words < maxWords; words += 1) {
    const split = /^([^/:]+)[/:](.+)$/.exec(rest)
    if (split === null) break
    const [, word = '', after = ''] = split
    const meant = isNoise(word, host) ? passing : hostOf(word)
    if (meant === undefined) break
    rest = after
    names.push(rest)
    if (isNoise(word, host)) continue
    if (meant.kind === 'listed') maker = meant.provider
    // A word of the name outranks what the sender told, except that a host of many makers lists them by name.
    const isHostOfMany = host.kind === 'listed' && !makersLanguages.has(host.provider)
    const isRouted = host.kind === 'listed' && host.provider === 'openrouter'
    if (meant.kind !== 'passing' && !isHostOfMany && !isRouted) host = meant
  }
  if (host.kind !== 'listed' && host.kind !== 'local' && bedrockName.test(rest)) {
    host = { kind: 'listed', provider: 'aws' }
  }
  return { host, names, maker }
}

const maxWords = 4

/** A model by its full address in a cloud, and within. An opaque address is left as it is, and is in no list. */
function ofCloud(name: string): { readonly provider: string; readonly rest: string } | undefined {
  const arn =
    /^(?:bedrock\/)?arn:aws[\w-]*:bedrock:[^/]*[:/](?:foundation-model|inference-profile)\/(.+)$/.exec(
      name,
    )
  if (arn !== null) return { provider: 'aws', rest: arn[1] ?? '' }
  const google = /(?:^|\/)publishers\/([^/]+)\/models\/(.+)$/.exec(name)
  return google === null ? undefined : { provider: 'google', rest: google[2] ?? '' }
}

/** Words that name neither a host nor a maker: routes, regions and kinds of deployment. */
function isNoise(word: string, host: AnyHost): boolean {
  if (/^(?:models|converse|converse_like|invoke|chat|responses|completion)$/.test(word)) return true
  if (host.kind !== 'listed') return false
  if (host.provider === 'azure')
    return /^(?:global|global-standard|data-zone|eu|us|standard)$/.test(word)
  return host.provider === 'aws' && /^[a-z]{2}(?:-[a-z]+)+-\d$/.test(word)
}

const bedrockName =
  /^(?:(?:us|eu|apac|jp|au|ca|uk|sa|in|us-gov|global)\.)?(?:anthropic|amazon|meta|mistral|cohere|deepseek|openai|qwen|google|nvidia|writer|ai21|moonshot|minimax|zai)\.[a-z]/

/** Who makes, and sells at one price, the models of a family. Weights that anybody may serve are nobody's. */
const makers: readonly (readonly [RegExp, string])[] = [
  [/^claude-/, 'anthropic'],
  [
    /^(?:ft:)?(?:gpt-(?!oss)|gpt35|chatgpt-|o[134](?:-|$)|text-embedding-(?:3|ada)|codex-|computer-use|whisper-1$)/,
    'openai',
  ],
  [/^(?:text-davinci|davinci|babbage|gpt4)/, 'openai'],
  [/^gemini-/, 'google'],
  [
    /^(?:mistral-(?:large|medium|small|embed|saba|tiny)|codestral|devstral|magistral|ministral|pixtral)/,
    'mistral',
  ],
  [/^grok-/, 'x-ai'],
  [/^deepseek-(?:chat|reasoner)$/, 'deepseek'],
  [/^(?:command-|embed-v4)/, 'cohere'],
  [/^(?:kimi-|moonshot-)/, 'moonshotai'],
  [/^glm-/, 'zhipuai'],
  [/^sonar(?:-|$)/, 'perplexity'],
  [/^voyage-/, 'voyageai'],
  [/^composer-/, 'cursor'],
]

function makerOf(name: string): string | undefined {
  return makers.find(([family]) => family.test(name))?.[1]
}

/** OpenAI sells no calls of these, though the list has them in its rows: every host has its own price. */
function isOpenWeights(provider: string, name: string): boolean {
  return provider === 'openai' && name.startsWith('gpt-oss')
}

/** The name as it is, then with one liberty after the other. What is free of charge is never taken for the other. */
function spellingsOf(name: string, provider: string): string[] {
  const spellings = [name]
  for (const simpler of provider === 'aws' ? [...liberties, ...bedrockLiberties] : liberties) {
    // Those before it came first: whatever needs fewer liberties is sought before.
    for (const spelling of [...spellings]) {
      const other = simpler(spelling)
      if (!spellings.includes(other)) spellings.push(other)
    }
    if (spellings.length > maxSpellings) break
  }
  return spellings
}

const maxSpellings = 24

const liberties: readonly ((name: string) => string)[] = [
  // Vertex: claude-sonnet-4-5@20250929, gemini-1.5-pro@001.
  (name) => name.replace('@', '-'),
  // OpenRouter: how to route the call, and how a model is to answer.
  (name) => name.replace(/:(?:thinking|online|nitro|floor|exacto|beta|extended)$/, ''),
  // How hard to think: o3-mini-high, gpt-5 (high), claude-3.7-sonnet-thinking.
  (name) =>
    /^(?:o\d|gpt-5|gpt-6|claude|gemini|grok)/.test(name)
      ? name.replace(/[-:@]?\(?-?(?:minimal|low|medium|high|xhigh|none|thinking)\)?$/, '')
      : name,
  (name) => name.replace(/-latest$/, ''),
  // Azure: gpt-35-turbo.
  (name) => name.replace(/^gpt-?35/, 'gpt-3.5').replace(/^gpt4/, 'gpt-4'),
  claudeOrder,
  // A snapshot that is not in the list costs what the model does.
  (name) => name.replace(/[-@](?:20\d\d-?\d\d-?\d\d|0\d\d)$/, ''),
]

const bedrockLiberties: readonly ((name: string) => string)[] = [
  (name) => name.replace(/:\d+k$/, ''),
  (name) => (/^(?:nova|titan)/.test(name) ? `amazon.${name}` : name),
  // A region whose price is not listed apart costs what the model does.
  (name) => name.replace(/^(?:us|eu|apac|jp|au|ca|uk|sa|in|us-gov)\./, ''),
]

/** Editors put the generation first and a dot into it: claude-4.5-sonnet is claude-sonnet-4-5. */
function claudeOrder(name: string): string {
  const [, start = '', generation = '', size = '', end = ''] =
    /^(.*?claude-)(\d+(?:[.-]\d)?)-(opus|sonnet|haiku)(.*)$/.exec(name) ?? []
  if (generation === '') return name.replace(/(claude-(?:opus|sonnet|haiku)-\d+)\.(\d)/, '$1-$2')
  const dashed = generation.replace('.', '-')
  return Number(dashed.charAt(0)) < 4
    ? `${start}${dashed}-${size}${end}`
    : `${start}${size}-${dashed}${end}`
}
