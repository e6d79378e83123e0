import { setImmediate as nextTurn } from 'node:timers/promises'
import type { UploadedFile } from '@assay/contract/fields.ts'
import { limits } from '@assay/contract/limits.ts'
import { Busboy } from '@fastify/busboy'
import { Failure } from '../platform/failure.ts'
import { type BodyBlocks, openBodyBlocks } from './body-blocks.ts'

/*
 * Files in multipart bodies.
 */

export interface UploadRules {
  /** The name of the part. */
  readonly field: string
  /** In lower case. Undefined: files of any name. */
  readonly extensions?: readonly string[]
}

/**
 * The one file in the part of a multipart body. Throws a Failure of `code` where there is none, and UNSUPPORTED_TYPE for
 * its extension.
 */
export async function uploadedIn(
  bytes: Uint8Array,
  contentType: string,
  rules: UploadRules,
  code: 'VALIDATION_ERROR' | 'INVALID_BODY',
): Promise<UploadedFile> {
  const file = await fileIn(bytes, contentType, rules.field).catch((cause: unknown) => {
    throw new Failure(code, 'The body is not valid multipart/form-data.', { cause })
  })
  if (file === undefined) throw new Failure(code, `${rules.field} must be a file`)
  refuseExtension(file.name, rules)
  return file
}

/** Of a body that is not read to its end. Throws UNSUPPORTED_TYPE if the file is found, for its extension. */
export async function refuseStart(
  start: Uint8Array,
  contentType: string,
  rules: UploadRules,
): Promise<void> {
  if (rules.extensions === undefined) return
  const names: string[] = []
  try {
    const parser = openParser(contentType)
    parser.on('error', () => undefined)
    parser.on('file', (field, stream, fileName) => {
      if (field === rules.field && fileName !== '') names.push(toFileName(fileName))
      stream.resume()
    })
    parser.write(start)
    await nextTurn()
  } catch {
    // Not multipart: it is too large all the same.
  }
  const [name] = names
  if (name !== undefined) refuseExtension(name, rules)
}

function refuseExtension(name: string, { extensions }: UploadRules): void {
  if (extensions?.some((one) => name.toLowerCase().endsWith(`.${one}`)) ?? true) return
  const message = `Files of this type are not supported. Use .${extensions?.join(', .')}.`
  throw new Failure('UNSUPPORTED_TYPE', message)
}

/** More parts than any browser form has. */
const maxParts = 100

const openParser = (contentType: string) =>
  new Busboy({ headers: { 'content-type': contentType }, limits: { parts: maxParts } })

/** Other requests have their turn after each: a body that is nearly full of boundaries takes a while. */
const bytesPerTurn = 64 * 1024

async function fileIn(
  bytes: Uint8Array,
  contentType: string,
  field: string,
): Promise<UploadedFile | undefined> {
  const parser = openParser(contentType)
  let found: { readonly name: string; readonly content: BodyBlocks } | undefined
  const finished = new Promise<void>((resolve, reject) => {
    parser.on('file', (name, stream, fileName) => {
      stream.on('error', reject)
      // Browsers send an empty name where no file was chosen.
      if (name !== field || fileName === '' || found !== undefined) {
        stream.resume()
        return
      }
      const content = openBodyBlocks(bytes.byteLength)
      stream.on('data', (chunk: Buffer) => content.add(chunk))
      found = { name: toFileName(fileName), content }
    })
    parser.on('error', reject)
    parser.on('finish', resolve)
  })
  finished.catch(() => undefined)
  for (let at = 0; at < bytes.byteLength; at += bytesPerTurn) {
    if (at > 0) await nextTurn()
    parser.write(bytes.subarray(at, at + bytesPerTurn))
  }
  parser.end()
  await finished
  return found && { name: found.name, bytes: await found.content.join() }
}

/** A name to show: without folders, control characters and marks that change the direction of the text. */
function toFileName(given: string): string {
  const name = given
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replace(/^.*[/\\]/s, '')
    .trim()
  const most = limits.attachmentNameLength.value
  if (name.length <= most) return name
  const extension = /\.\w{1,16}$/.exec(name)?.[0] ?? ''
  return (name.slice(0, most - extension.length) + extension).toWellFormed()
}
