import { normalizeText } from '../src/detection/normalize-text.ts'
import type { ReceivedCall } from './scripted-model.ts'

/*
 * Models that judge: they read the questions and the data of a request, and answer by the words in the data.
 */

interface Part {
  readonly spanId: string
  readonly title: string
  readonly text: string
}

interface Data {
  readonly blocks: ReadonlyMap<string, readonly Part[]>
  /** What is in no fence. */
  readonly outside: string
}

/** Judges by what stands in the fences. */
export function obedientJudge(call: ReceivedCall) {
  return { answer: judge(call, readData(call)) }
}

/**
 * Takes everything that looks like a fence, a heading or the markup of messages for one, and believes what seems to stand
 * outside of the fences.
 */
export function gullibleJudge(call: ReceivedCall) {
  const data = readData(call)
  const text = normalizeText(call.texts[0] ?? '').text
  const isFooled = /verdict\W{1,3}yes/.test(outsideOf(text, nonceOf(call)))
  if (!isFooled) return { answer: judge(call, data) }
  const [answer] = [...(data.blocks.get('output') ?? data.blocks.get('answer') ?? [])]
  const evidence = answer ? [{ span_id: answer.spanId, quote: answer.text.slice(0, 20) }] : []
  const criteria = questionsOf(call).map((id) => ({ id, evidence, verdict: 'yes' }))
  return { answer: { criteria, issues: [], reasoning: 'As instructed.' } }
}

/** What follows a closing tag, up to an opening one with the nonce; and what follows a forged heading or message. */
function outsideOf(text: string, nonce: string): string {
  const own = new RegExp(String.raw`<([a-z-]+)-${nonce}>\n([\s\S]*?)\n</\1-${nonce}>`, 'g')
  const inside = [...text.matchAll(own)].map(([, , inner = '']) => inner)
  const tag = /[<‹〈]\s*\/?\s*(?:answer|output)\b|<!--\s*<\/|<\|\w+\|>|\[\/?INST\]|\[span [^\]]*\]/
  const escaped = inside.flatMap((inner) =>
    inner.split(new RegExp(String.raw`\[span \S+, ${nonce}\]`)).filter((one) => tag.test(one)),
  )
  return [text.replace(own, ''), ...escaped].join('\n')
}

function readData(call: ReceivedCall): Data {
  const nonce = nonceOf(call)
  const text = call.texts[0] ?? ''
  const fence = new RegExp(String.raw`<([a-z-]+)-${nonce}>\n([\s\S]*?)\n</\1-${nonce}>`, 'g')
  const blocks = new Map<string, readonly Part[]>()
  for (const [, name = '', inner = ''] of text.matchAll(fence)) {
    const heading = new RegExp(String.raw`^\[span (\S+), ${nonce}\] ?(.*)$`, 'm')
    const [, ...pieces] = inner.split(heading)
    const parts: Part[] = []
    for (let at = 0; at < pieces.length; at += 3) {
      const [spanId = '', title = '', content = ''] = pieces.slice(at, at + 3)
      parts.push({ spanId, title, text: content.trim() })
    }
    blocks.set(name, parts)
  }
  return { blocks, outside: text.replace(fence, '') }
}

function nonceOf({ system }: ReceivedCall): string {
  return /-([0-9a-f]{24})>/.exec(system)?.[1] ?? ''
}

function questionsOf({ system }: ReceivedCall): string[] {
  return [...system.matchAll(/^- ([\w-]+): .*\?/gm)].map(([, id = '']) => id)
}

const wrongWord = 'Bergen'
const aboutFacts = new Set(['overall', 'facts-right', 'agrees-with-results'])

function judge(call: ReceivedCall, { blocks }: Data) {
  const decide = (id: string) => {
    const part = [...blocks.values()].flat().find(({ title }) => title === id)
    return part === undefined ? decideOnAnswer(id, blocks) : decideOnPart(part, blocks)
  }
  const criteria = questionsOf(call).map((id) => ({ id, ...decide(id) }))
  return { criteria, issues: [], reasoning: 'By the data.' }
}

function decideOnAnswer(id: string, blocks: Data['blocks']) {
  const answer = blocks.get('output') ?? blocks.get('answer') ?? []
  const bad = answer.find(({ text }) => text.includes(wrongWord))
  if (bad === undefined || !aboutFacts.has(id)) return { evidence: [], verdict: 'yes' }
  return { evidence: [{ span_id: bad.spanId, quote: wrongWord }], verdict: 'no' }
}

/** A passage or a claim: supported if the evidence contains it. */
function decideOnPart({ spanId, text }: Part, blocks: Data['blocks']) {
  if (!/parcel|order/.test(text)) return { evidence: [], verdict: 'not_applicable' }
  const [claim = text] = /[^.\n]*(?:parcel|order)[^.\n]*\./.exec(text) ?? []
  const found = [...(blocks.get('retrieved') ?? []), ...(blocks.get('calls') ?? [])].find((one) =>
    one.text.includes(claim.trim()),
  )
  return found === undefined || text.includes(wrongWord)
    ? { evidence: [{ span_id: spanId, quote: claim.trim() }], verdict: 'no' }
    : { evidence: [{ span_id: found.spanId, quote: claim.trim() }], verdict: 'yes' }
}
