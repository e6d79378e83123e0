/** Longer texts are shown as they were sent. */
const renderedMax = 100_000

const blockSign = /^ {0,3}(?:#{1,6} |[-*+] |\d{1,9}[.)] |>|```|~~~|\||---|===)/m
const inlineSign = /\*\*|`|\]\(|https?:\/\/|(?:^|\s)[*_]\S/

/** Whether Markdown would look different from the text itself. */
export function hasMarkdown(text: string): boolean {
  return text.length <= renderedMax && (inlineSign.test(text) || blockSign.test(text))
}
