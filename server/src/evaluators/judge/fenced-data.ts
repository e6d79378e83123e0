import { randomBytes } from 'node:crypto'
import type { Block, Segment } from './judge.ts'

/*
 * Judged text as data: in fences that it cannot close, because their name is new for every run.
 */

/** Of a block. Longer ones are cut in the middle, because questions stand at the beginning and conclusions at the end. */
const blockLengthMax = 250_000

export function newNonce(): string {
  return randomBytes(12).toString('hex')
}

/** One text with a fence for each block. */
export function fenceBlocks(blocks: readonly Block[], nonce: string): string {
  return blocks.map((block) => fence(block, nonce)).join('\n\n')
}

function fence({ name, segments }: Block, nonce: string): string {
  const inner = cutMiddle(segments.map(segmentText).join('\n'), blockLengthMax)
  return `<${name}-${nonce}>\n${inner}\n</${name}-${nonce}>`
}

function segmentText({ spanId, title, text }: Segment): string {
  const head = title === undefined ? `[span ${spanId}]` : `[span ${spanId}] ${title}`
  return withoutMarkers(`${head}\n${text}`)
}

/**
 * Nobody can guess the name of a fence, but a model may take something similar for it: tags with a long hexadecimal name,
 * in any letters that look like brackets, lose their brackets.
 */
function withoutMarkers(text: string): string {
  return text.replaceAll(/[<＜‹〈⟨]([^<>\s]{0,40}-[0-9a-f]{16,})[>＞›〉⟩]/giu, '($1)')
}

/** The beginning and the end, with what was left out in between. */
export function cutMiddle(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  const half = Math.floor(lengthMax / 2)
  const left = text.length - 2 * half
  const note = `\n[${left.toLocaleString('en-US')} characters left out]\n`
  return `${text.slice(0, half).toWellFormed()}${note}${text.slice(-half).toWellFormed()}`
}
