import { limits } from '@assay/contract/limits.ts'
import type { ClipboardEvent } from 'react'

/**
 * Attaches what is pasted into the field of a message, if it is files, or a text that is too long for the message.
 * Any other text is left to the browser.
 */
export function takePaste(
  event: ClipboardEvent<HTMLTextAreaElement>,
  attach: (file: File) => void,
): void {
  const text = event.clipboardData.getData('text/plain')
  const files = isTooLong(text, event.currentTarget)
    ? [new File([text], 'pasted-text.txt', { type: 'text/plain' })]
    : filesBeside(text, [...event.clipboardData.files])
  if (files.length === 0) return
  event.preventDefault()
  for (const file of files) attach(file)
}

function isTooLong(text: string, { value, selectionStart, selectionEnd }: HTMLTextAreaElement) {
  const kept = value.length - (selectionEnd - selectionStart)
  return kept + text.length > limits.chatTextLength.value
}

/** A spreadsheet copies a picture of its cells beside their text, a file manager the names of the files. */
function filesBeside(text: string, files: readonly File[]): readonly File[] {
  return text === '' || files.every(({ name }) => text.includes(name)) ? files : []
}
