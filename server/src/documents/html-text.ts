import { Parser } from 'htmlparser2'
import { DocumentRefused, documentLimits } from './document.ts'

/*
 * The text of an HTML page, with Markdown headings, list items and rows of tables. Scripts, navigation and hidden
 * elements are left out: people do not read them, so instructions to models can be hidden there.
 */

export interface HtmlText {
  readonly title: string
  readonly text: string
  /** Whether elements for navigation or hidden ones with text were left out. */
  readonly hasOmitted: boolean
}

const skipped = new Set(
  'script style noscript template svg math iframe object canvas audio video select button nav aside footer dialog'.split(
    ' ',
  ),
)
/** Never shown as text. */
const code = new Set(['script', 'style', 'template', 'noscript'])
const blocks = new Set(
  'address article blockquote body caption dd details div dl dt fieldset figcaption figure form h1 h2 h3 h4 h5 h6 header hr main ol p pre section summary table ul'.split(
    ' ',
  ),
)

/** With less text, the main part of a page is not where the page says that it is. */
const mainLengthMin = 200

export function readHtml(html: string): HtmlText {
  const page = { title: '', all: '', main: '', hasOmitted: false }
  /** Of the elements that are open. */
  const open: {
    readonly isSkipped: boolean
    readonly isCode: boolean
    readonly isMain: boolean
  }[] = []
  let [codes, skips, mains, tags, pres, titles] = [0, 0, 0, 0, 0, 0]

  const write = (text: string) => {
    page.all += text
    if (mains > 0) page.main += text
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      tags += 1
      if (tags > documentLimits.tags || open.length > documentLimits.htmlDepth) {
        throw new DocumentRefused('unreadable')
      }
      const isSkipped = skipped.has(name) || isHidden(attributes)
      const isMain = name === 'main' || name === 'article'
      const isCode = code.has(name)
      open.push({ isSkipped, isCode, isMain })
      if (isCode) codes += 1
      if (isSkipped) skips += 1
      if (isMain) mains += 1
      if (name === 'title') titles += 1
      if (name === 'pre') pres += 1
      if (skips === 0) write(opening(name))
    },
    ontext(text) {
      // A title of an image in SVG is no title of the page.
      if (titles > 0) page.title += skips === 0 ? text : ''
      else if (skips > 0) page.hasOmitted ||= codes === 0 && text.trim() !== ''
      else write(pres > 0 ? text : text.replaceAll(/\s+/g, ' '))
    },
    onclosetag(name) {
      if (skips === 0) write(closing(name))
      const closed = open.pop()
      if (closed?.isSkipped === true) skips -= 1
      if (closed?.isCode === true) codes -= 1
      if (closed?.isMain === true) mains -= 1
      if (name === 'title') titles -= 1
      if (name === 'pre') pres -= 1
    },
  })
  // In pieces: the parser copies what is left of a piece.
  for (let at = 0; at < html.length; at += 65_536) parser.write(html.slice(at, at + 65_536))
  parser.end()
  const [all, main] = [page.all, page.main].map(tidy) as [string, string]
  const title = page.title.replaceAll(/\s+/g, ' ').trim()
  return { title, text: main.length >= mainLengthMin ? main : all, hasOmitted: page.hasOmitted }
}

function isHidden(attributes: Readonly<Record<string, string>>): boolean {
  const { style = '' } = attributes
  return (
    'hidden' in attributes ||
    attributes['aria-hidden'] === 'true' ||
    /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])/i.test(
      style.slice(0, 2000),
    )
  )
}

function opening(name: string): string {
  const level = /^h([1-6])$/.exec(name)?.[1]
  if (level !== undefined) return `\n\n${'#'.repeat(Number(level))} `
  if (name === 'br' || name === 'tr') return '\n'
  if (name === 'li') return '\n- '
  return blocks.has(name) ? '\n' : ''
}

function closing(name: string): string {
  if (name === 'td' || name === 'th') return ' | '
  if (name === 'p' || /^h[1-6]$/.test(name)) return '\n\n'
  return blocks.has(name) ? '\n' : ''
}

/** Without spaces at the ends of lines and without empty items, headings and rows. */
function tidy(text: string): string {
  return text
    .replaceAll(/[ \t\u00A0]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/ \|(?=\n|$)/g, '')
    .replaceAll(/^(?:-|#{1,6}|\||(?:\| )+)?$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
