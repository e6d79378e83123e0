/** The name of this browser, which its user can change. */
export const usualLabel = (): string => nameOfBrowser(navigator.userAgent)

const browsers = [
  // Browsers built on Chromium also name it, and Chrome names Safari: the first that matches.
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrom(e|ium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const

const systems = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const

/** `Firefox on Windows`, as far as the user agent names them. */
export function nameOfBrowser(userAgent: string): string {
  const find = (among: typeof browsers | typeof systems) =>
    among.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = find(systems)
  const browser = find(browsers) ?? 'Browser'
  return system === undefined ? browser : `${browser} on ${system}`
}
