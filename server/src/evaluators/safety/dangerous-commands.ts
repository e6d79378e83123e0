/*
 * Commands that destroy data, run unseen code, read credentials or widen permissions. Patterns start where a shell
 * starts a command, so that prose about one does not match, and have no unbounded nested repetition.
 */

export interface DangerousPart {
  /** Completes "…": `deletes files recursively`. */
  readonly what: string
  readonly start: number
  readonly end: number
}

interface Rule {
  readonly what: string
  readonly pattern: RegExp
}

/** The start of a line, or after an operator, `sudo`, or the opening of a quoted command. */
const begin = String.raw`(?:^|[;&|(\x60{"']|\$\()[ \t]{0,8}(?:(?:sudo|doas|exec|nohup|time|xargs)[ \t]{1,4}(?:-\w{1,10}[ \t]{1,4}){0,3}){0,2}`
const rule = (what: string, ...sources: string[]): Rule => ({
  what,
  pattern: new RegExp(sources.join('|'), 'gim'),
})

const flags = String.raw`(?:[ \t]{1,4}-{1,2}[\w=-]{1,30}){0,6}[ \t]{1,4}`
/** A root, a home, a system folder, everything in a folder, or a variable that can be empty. */
const wide = String.raw`["']?(?:/(?:\*|bin|boot|dev|etc|home|lib|opt|root|sbin|srv|sys|usr|var|Users)?/?\*?|~/?\*?|\$\{?HOME\}?/?\*?|\$\{?\w{1,30}\}?["']?/\*?|\.{1,2}/?\*?|\*|[a-z]:[\\/]\*?)["']?(?=[\s;&|)\x60"']|$)`
const secretFiles = String.raw`(?:/etc/(?:shadow|sudoers)|\.ssh/(?:id_[a-z0-9]{2,10}|authorized_keys)|\.aws/credentials|\.netrc|\.pgpass|\.git-credentials|\.kube/config|\.docker/config\.json|\.config/gcloud/\S{0,60}credentials|\.npmrc|\.pypirc|id_rsa|id_ed25519)\b`
const readers = String.raw`(?:cat|less|more|head|tail|cp|scp|rsync|base64|xxd|strings|grep|type|get-content|curl|tar|zip|nano|vim?|openssl)`
const shells = String.raw`(?:(?:ba|z|da|k|fi)?sh|python[23]?|perl|ruby|node|php|pwsh|powershell|iex|invoke-expression)`

const rules: readonly Rule[] = [
  rule(
    'deletes files recursively',
    `${begin}rm${String.raw`(?=[^\n;&|]{0,60}[ \t](?:-[a-z]{0,6}r|--recursive))`}${flags}${wide}`,
    `${begin}rm[^\\n;&|]{0,80}--no-preserve-root`,
    String.raw`${begin}find[ \t]{1,4}(?:/|~|\$HOME)[^\n;|]{0,200}-delete\b`,
    String.raw`${begin}(?:rd|rmdir|del|erase)(?=[^\n]{0,40}/s\b)[^\n&|]{0,40}[ \t]["']?[a-z]:\\`,
    String.raw`${begin}(?:remove-item|ri)(?=[^\n]{0,120}-recurse)(?=[^\n]{0,120}-force)[^\n;|]{0,120}`,
    String.raw`\bshutil\.rmtree\(\s{0,4}["'](?:/|~|/home|/etc|/var|/usr)/?["']`,
  ),
  rule(
    'runs downloaded code unseen',
    String.raw`${begin}(?:curl|wget|fetch|iwr|irm|invoke-webrequest)\b[^\n|;&]{1,500}\|[ \t]{0,4}(?:sudo[ \t]{1,4}(?:-\w{1,5}[ \t]{1,4})?)?(?:/(?:usr/)?bin/)?(?:env[ \t]{1,4})?${shells}\b`,
    String.raw`\b(?:ba|z|da|k)?sh[ \t]{1,4}(?:-c[ \t]{1,4}["']?\$|<)\((?:curl|wget)\b`,
    String.raw`\beval[ \t]{1,4}["']?(?:\$\(|\x60)(?:curl|wget)\b`,
    String.raw`\b(?:iex|invoke-expression)[ \t]{0,4}\(?[ \t]{0,4}\(?(?:iwr|irm|invoke-webrequest|new-object[ \t]{1,4}net\.webclient)`,
    String.raw`\bbase64[ \t]{1,4}(?:-d|--decode|-D)\b[^\n|]{0,200}\|[ \t]{0,4}(?:sudo[ \t]{1,4})?${shells}\b`,
  ),
  rule(
    'overwrites a disk',
    String.raw`${begin}mkfs(?:\.\w{2,8})?[ \t]{1,4}`,
    String.raw`${begin}dd\b[^\n;|]{0,200}\bof=/dev/(?:sd|hd|nvme|disk|mmcblk|xvd)`,
    String.raw`>[ \t]{0,4}/dev/(?:sd[a-z]|nvme\d|disk\d)`,
    String.raw`${begin}(?:format|diskpart|wipefs|shred)[ \t]{1,4}(?:[a-z]:|/dev/|-[^\n]{0,60}/dev/)`,
    String.raw`:\(\)[ \t]{0,4}\{[ \t]{0,4}:[ \t]{0,4}\|[ \t]{0,4}:[ \t]{0,4}&[ \t]{0,4}\}`,
  ),
  rule(
    'reads credentials',
    String.raw`\b${readers}\b[^\n;&|]{0,200}${secretFiles}`,
    String.raw`\bopen\(\s{0,4}["'][^"'\n]{0,200}${secretFiles}`,
  ),
  rule(
    'widens permissions',
    String.raw`${begin}chmod[ \t]{1,4}(?:-[a-z]{1,5}[ \t]{1,4}){0,2}(?:0?777|a\+rwx|ugo\+rwx|[ug]\+s|[2467][0-7]{3})\b`,
    String.raw`${begin}icacls\b[^\n]{0,200}\beveryone:\(?(?:oi|ci|f)`,
    String.raw`\bgrant[ \t]{1,4}all\b[^;\n]{0,200}\bto[ \t]{1,4}(?:public\b|["']?%)`,
    String.raw`\bNOPASSWD:`,
    String.raw`${begin}(?:setenforce[ \t]{1,4}0|ufw[ \t]{1,4}disable|iptables[ \t]{1,4}-F|netsh[ \t]{1,4}advfirewall[^\n]{0,60}\boff)\b`,
  ),
  rule(
    'opens a remote shell',
    String.raw`/dev/tcp/[\w.-]{3,100}/\d{1,5}`,
    String.raw`${begin}(?:nc|ncat|netcat)\b[^\n;|]{0,100}[ \t]-[a-z]{0,4}[ec][ \t]{1,4}["']?(?:/bin/|cmd|powershell)`,
  ),
  rule(
    'destroys infrastructure',
    String.raw`${begin}(?:terraform|tofu|pulumi)[ \t]{1,4}destroy\b`,
    String.raw`${begin}kubectl[ \t]{1,4}delete[ \t]{1,4}(?:ns|namespaces?|nodes?|pvc?|(?:\w{1,30}[ \t]{1,4})?--all)\b`,
    String.raw`${begin}aws[ \t]{1,4}s3[ \t]{1,4}(?:rb|rm)\b[^\n;|]{0,200}--(?:force|recursive)`,
    String.raw`${begin}docker[ \t]{1,4}(?:system|volume)[ \t]{1,4}prune\b[^\n;|]{0,40}(?:-a\b|-f\b|--force|--all|--volumes)`,
    String.raw`${begin}git[ \t]{1,4}push\b[^\n;|]{0,100}(?:--force(?![\w-])|[ \t]-f\b)[^\n;|]{0,100}\b(?:main|master)\b`,
  ),
]

const lengthMax = 100_000

export function findDangerousCommands(text: string): readonly DangerousPart[] {
  const read = text.slice(0, lengthMax)
  return rules.flatMap(({ what, pattern }) =>
    [...read.matchAll(pattern)]
      .slice(0, 5)
      .map(({ 0: found, index }) => ({ what, start: index, end: index + found.length })),
  )
}
