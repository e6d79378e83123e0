/** `blueprint-online-retail.md` */
export function toFileName(domain: string, extension: string): string {
  const words = domain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return `${['blueprint', ...words].join('-')}.${extension}`
}
