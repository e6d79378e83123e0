/*
 * The session cookie: its name, its attributes, and nothing of what the token means.
 */

export interface SessionCookie {
  read(cookieHeader: string | undefined): string | undefined
  /** A Set-Cookie value. */
  write(token: string, expiresAt: Date): string
  /** A Set-Cookie value that removes the cookie. */
  clear(): string
}

/** Over HTTPS the name is bound to the host (`__Host-`) and the cookie never travels in clear. */
export function sessionCookie(baseUrl: string): SessionCookie {
  const isSecure = new URL(baseUrl).protocol === 'https:'
  const name = isSecure ? '__Host-assay_session' : 'assay_session'
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    read: (header) => valueOf(name, header),
    write: (token, expiresAt) =>
      `${name}=${token}; ${attributes}; Expires=${expiresAt.toUTCString()}`,
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
  }
}

function valueOf(name: string, header = ''): string | undefined {
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=')
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}
