/** Whether the text is on the clipboard: false if the browser refused. */
export async function copyText(text: string): Promise<boolean> {
  // The clipboard API only exists on https and localhost.
  if (navigator.clipboard === undefined) return copyBySelection(text)
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copyBySelection(text),
  )
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'visually-hidden'
  const focused = document.activeElement
  document.body.append(area)
  area.select()
  // oxlint-disable-next-line typescript/no-deprecated -- over plain HTTP browsers offer no other way to the clipboard
  const copied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}
