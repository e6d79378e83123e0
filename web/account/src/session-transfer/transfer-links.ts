import { isReturnPath } from '@assay/contract/fields.ts'

/** A link to a page of the other product, which opens signed in as the same person. */
export function productLink(origin: string, path: string): string {
  return `${origin}/session-transfer/start?${new URLSearchParams({ next: path })}`
}

/**
 * The path in the tracing product that leads to a page of the chat product. It keeps the way back through everything
 * that only the tracing product has, such as sign-up, however long that takes. A path too long to keep leads to the
 * start page.
 */
export function openChatPath(path: string): string {
  const link = `/open-chat?${new URLSearchParams({ next: path })}`
  return isReturnPath(link) ? link : '/open-chat'
}
