/** Offers a text as a file. */
export function downloadText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has begun by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** `blueprint-online-retail.md` */
export function toFileName(domain: string, extension: string): string {
  const words = domain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return `${['blueprint', ...words].join('-')}.${extension}`
}
