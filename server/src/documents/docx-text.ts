import { DocumentRefused, documentLimits } from './document.ts'
import { readZip, type ZipEntry } from './zip-entries.ts'

/*
 * The text of a Word document: headers, body with tables, notes and footers. Deleted text of tracked changes is left
 * out. Nothing outside of the file is read, whatever it links to.
 */

export interface DocxText {
  readonly title: string
  readonly text: string
}

export function readDocx(bytes: Uint8Array): DocxText {
  refuseOle(bytes)
  const entries = readZip(bytes)
  const body = entries.get(mainPart(entries)) ?? entries.get('word/document.xml')
  if (body === undefined) throw new DocumentRefused('unreadable')
  const parts = (name: string) =>
    [...entries.values()].filter((entry) => new RegExp(`^word/${name}\\d*\\.xml$`).test(entry.name))
  const texts = [
    ...parts('header'),
    body,
    ...parts('footnotes'),
    ...parts('endnotes'),
    ...parts('footer'),
  ].map((entry) => textOfPart(xmlOf(entry)))
  const core = entries.get('docProps/core.xml')
  const title = core && /<dc:title>([^<]*)<\/dc:title>/.exec(xmlOf(core))?.[1]
  // The pages of a section repeat its header.
  const distinct = [...new Set(texts.filter((text) => text !== ''))]
  return { title: decodeEntities(title ?? '').trim(), text: distinct.join('\n\n') }
}

/** Older Word documents and encrypted ones are in a container of another kind. */
function refuseOle(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.subarray(0, 8).toString('hex') !== 'd0cf11e0a1b11ae1') return
  const isEncrypted = file.includes(Buffer.from('EncryptedPackage', 'utf16le'))
  throw new DocumentRefused(isEncrypted ? 'encrypted' : 'unreadable')
}

function mainPart(entries: ReadonlyMap<string, ZipEntry>): string {
  const relations = entries.get('_rels/.rels')
  if (relations === undefined) return ''
  const [tag = ''] = /<Relationship\s[^>]*\/officeDocument"[^>]*>/.exec(xmlOf(relations)) ?? []
  return (/\sTarget="\/?([^"]*)"/.exec(tag)?.[1] ?? '').replace(/^\.\//, '')
}

function xmlOf(entry: ZipEntry): string {
  const bytes = entry.read()
  const isWide = bytes[0] === 0xff || bytes[0] === 0xfe
  const xml = new TextDecoder(isWide ? 'utf-16' : 'utf-8').decode(bytes)
  // A parser would expand its entities.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw new DocumentRefused('unreadable')
  return xml
}

const token =
  /<(?:!--[\s\S]*?--|\?[\s\S]*?\?|(\/?)(?:[\w.-]+:)?([\w.-]+)((?:"[^"]*"|'[^']*'|[^<>"'])*?)(\/?))>|([^<]+)/g

function textOfPart(xml: string): string {
  let text = ''
  let [tags, isText, skips] = [0, false, 0]
  for (const [, close, name, attributes = '', single, characters] of xml.matchAll(token)) {
    if (characters !== undefined) {
      if (isText && skips === 0) text += decodeEntities(characters)
      continue
    }
    if (name === undefined) continue
    tags += 1
    if (tags > documentLimits.tags) throw new DocumentRefused('unreadable')
    const isOpening = close === ''
    if (isSkipped(name) && single === '') skips += isOpening ? 1 : -1
    if (name === 't') isText = isOpening && single === ''
    else text += isOpening ? opened(name, attributes) : closed(name)
  }
  return text
    .replaceAll(/\n+\| /g, ' | ')
    .replaceAll(/[ \t]*(?:\| ?)?\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** The fallback of a drawing repeats its text, and a moved text is at its new place, too. */
const isSkipped = (name: string) => name === 'Fallback' || name === 'del' || name === 'moveFrom'

function opened(name: string, attributes: string): string {
  if (name === 'tab') return '\t'
  if (name === 'br' || name === 'cr') return '\n'
  if (name !== 'pStyle') return ''
  const level = /:val="(?:Heading|berschrift|Titre)\s?([1-6])"/i.exec(attributes)?.[1]
  return level === undefined ? '' : `${'#'.repeat(Number(level))} `
}

function closed(name: string): string {
  if (name === 'p' || name === 'tr') return '\n'
  return name === 'tc' ? '| ' : ''
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi,
    (whole, hex, decimal, name) => {
      if (name !== undefined) return named[name as string] ?? whole
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex as string, 16)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : ''
    },
  )
}
