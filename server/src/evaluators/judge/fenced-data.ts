import { randomBytes } from 'node:crypto'
import { normalizeText } from '../../detection/normalize-text.ts'
import type { Block, Segment } from './judge.ts'

/*
 * Judged text as data: in fences that it cannot close, because their name is new for every run.
 */

export function newNonce(): string {
  return randomBytes(12).toString('hex')
}

/** One text with a fence for each block. */
export function fenceBlocks(blocks: readonly Block[], nonce: string): string {
  const marker = markerPattern(
    blocks.map(({ name }) => name),
    nonce,
  )
  return blocks
    .map(({ name, segments }) => {
      const inner = segments.map((segment) => segmentText(segment, nonce, marker)).join('\n')
      return `<${name}-${nonce}>\n${inner}\n</${name}-${nonce}>`
    })
    .join('\n\n')
}

/** Parts of a fence have headings with the nonce, so that a text cannot pretend to be the result of a tool. */
function segmentText({ spanId, title = '', text }: Segment, nonce: string, marker: RegExp): string {
  const line = withoutMarkers(title.slice(0, titleMax).replace(/\s+/g, ' '), marker)
  return `[span ${plainSpanId(spanId)}, ${nonce}] ${line}`
    .trimEnd()
    .concat('\n', withoutMarkers(text, marker))
}

const titleMax = 160

/** Senders choose ids: without what could end the heading. */
export function plainSpanId(spanId: string): string {
  return spanId.replace(/[^\w.:@/+-]/g, '_')
}

const open = '[<‹〈⟨《]'
const close = '[>›〉⟩》]'

/** A model may also take these for the end of a fence of another name. */
const usualNames = 'answer|question|input|output|trace|run|data|document|context|results?|evidence'
  .concat('|rubric|instructions?|system|user|assistant|verdict|judge|grader|evaluation')
  .split('|')

/**
 * Nobody can guess the name of a fence, but a model may take something similar for it: tags with the name of a block or a
 * long hexadecimal number, also unclosed, headings of spans, and the markup that separates messages.
 */
function markerPattern(names: readonly string[], nonce: string): RegExp {
  const name = `(?:${[...names, ...usualNames].join('|')})`
  const closing = String.raw`/\s{0,3}${name}\b[^<>\n]{0,80}`
  const opening = String.raw`${name}(?:[-_][^\s<>]{0,80}|(?=\s{0,3}${close}))`
  const numbered = String.raw`/?\s{0,3}[^\s<>]{0,40}-[0-9a-f]{16,80}`
  const tag = String.raw`${open}\s{0,3}(?:${closing}|${opening}|${numbered})\s{0,3}${close}?`
  const heading = String.raw`\[\s{0,3}span\s[^\]\n]{1,200}\]?`
  const turn = String.raw`<\|[\w ]{1,40}\|>|\[/?INST\]|<</?SYS>>|</?(?:start|end)_of_turn>`
  return new RegExp(`${tag}|${heading}|${turn}|${nonce}`, 'gi')
}

/** Brackets of markers become parentheses. Look-alike letters and invisible characters do not hide one. */
function withoutMarkers(text: string, marker: RegExp): string {
  if (!/[<[‹〈⟨《＜［﹤]|[0-9a-f]{16}/i.test(text)) return text
  const { text: normalized, toOriginalStart, toOriginalEnd } = normalizeText(text)
  let result = ''
  let copiedTo = 0
  for (const { 0: found, index } of normalized.matchAll(marker)) {
    const [start, end] = [toOriginalStart(index), toOriginalEnd(index + found.length)]
    const inner = found.replace(/^[\s|[<‹〈⟨《]+/, '').replace(/[\s|\]>›〉⟩》]+$/, '')
    result += `${text.slice(copiedTo, start)}(${/^[0-9a-f]{24}$/i.test(inner) ? '' : inner})`
    copiedTo = end
  }
  return result + text.slice(copiedTo)
}

/** The beginning and the end, with what was left out in between. */
export function cutMiddle(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  const half = Math.floor(lengthMax / 2)
  const left = text.length - 2 * half
  const note = `\n[${left.toLocaleString('en-US')} characters left out]\n`
  return `${text.slice(0, half).toWellFormed()}${note}${text.slice(-half).toWellFormed()}`
}

/** Whether a text, or the title of what follows a gap, reports that something was left out. */
export function hasCut(text: string): boolean {
  return /(?:\n\[|^)\d[\d,]* characters left out[\];]/.test(text)
}
