/*
 * The cookies of a host: names and attributes. Their values are opaque here.
 */

export interface HostCookie {
  read(cookieHeader: string | undefined): string | undefined
  /** A Set-Cookie value. */
  write(value: string, expiresAt: Date): string
  /** A Set-Cookie value that removes the cookie. */
  clear(): string
}

export function sessionCookie(baseUrl: string): HostCookie {
  return hostCookie(baseUrl, 'assay_session')
}

/** Binds a sign-in through another host to the browser in which it started. */
export function signInCookie(baseUrl: string): HostCookie {
  return hostCookie(baseUrl, 'assay_sign_in')
}

/** Over HTTPS the name is bound to the host (`__Host-`) and the cookie is never sent over plain HTTP. */
function hostCookie(baseUrl: string, plainName: string): HostCookie {
  const isSecure = new URL(baseUrl).protocol === 'https:'
  const name = isSecure ? `__Host-${plainName}` : plainName
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    read: (header) => findValue(name, header),
    write: (value, expiresAt) =>
      `${name}=${value}; ${attributes}; Expires=${expiresAt.toUTCString()}`,
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
  }
}

function findValue(name: string, header = ''): string | undefined {
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=')
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}
