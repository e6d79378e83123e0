import { type AnchoredRule, named } from '../rule.ts'
import { isPassword, isPlaceholder, isRandomKey, isReference } from '../value-checks.ts'

/*
 * Passwords and keys that only their name marks, in settings and code.
 */

/** Perhaps a closing quote or bracket, and `=`, `:`, `=>`, `:=` or the end of a tag. */
const assignment = String.raw`(?:\\?["'\x60\])}*]){0,4}[ \t]{0,20}(?:=>|:=|={1,3}|:|>)[ \t]{0,20}(?:\*\*)?[ \t]?`
/** After the rest of the name, as in `password_2` or `passwordOfAdmin`. */
const assigned = String.raw`(?:s|(?=(?<rest>[_A-Z0-9-][\w-]{0,24}))\k<rest>)?${assignment}`
const quoted = String.raw`\\?(?:"(?<value>(?:[^"\\\n]|\\[^"\n]){4,500})(?=\\?")|'(?<value>(?:[^'\\\n]|\\[^'\n]){4,500})(?=\\?')|\x60(?<value>[^\x60\n]{4,500})(?=\x60))`
const bare = String.raw`(?!\\?["'\x60])(?<value>[^\s"'\x60<>]{4,250})`

/** Not the name of a fact about the value, such as `api_key_id` or `PASSWORD_FIELD_NAME`. */
const noFact = String.raw`(?![\w-]{0,24}?(?:[Ii]d|ID|[Nn]ame|NAME|[Uu]r[il]|UR[IL]|[Tt]ype|TYPE|[Aa]rn|ARN|[Pp]ath|PATH|[Ff]ile|FILE|[Ff]ield|FIELD|[Rr]ef|REF|[Vv]ersion|[Cc]ount|[Ll]imit)\b)`
/** Not a token that only continues a list. */
const noPosition = String.raw`(?<!(?:page|next|sync|continuation|cursor|csrf|xsrf)[_-]?token)`

/** `api_key` is also written `api-key`, `api key` and `apikey`. */
function spellings(names: string): readonly string[] {
  const all = names
    .split(' ')
    .flatMap((name) => ['_', '-', ' ', ''].map((by) => name.replaceAll('_', by)))
  return [...new Set(all)]
}

const passwordNames = [
  ...spellings('password passwd passphrase pass_phrase pass_word mot_de_passe'),
  ...['dbpass', 'passwort', 'kennwort', 'contraseña', 'contrasena', 'senha', 'wachtwoord'],
  ...[
    'hasło',
    'haslo',
    'пароль',
    '密码',
    '密碼',
    'パスワード',
    '비밀번호',
    'lösenord',
    'şifre',
    'parola',
  ],
]
const shortPasswordNames = ['pass', 'pwd', 'psw']
const keyNames = spellings(
  'secret api_key app_key access_key auth_key token private_key signing_key encryption_key secret_key master_key account_key service_key credential webhook_key license_key',
)

const hasNoSpace = (value: string) => !/\s/.test(value)
const isQuotedPassword = (value: string) => hasNoSpace(value) && isPassword(value)
const isBarePassword = (value: string) =>
  isPassword(value) && !isReference(value) && !/^[a-z]+(?:[A-Z][a-z]*)+\d?$/.test(value)
const isKey = (value: string) =>
  value.length >= 12 && hasNoSpace(value) && isRandomKey(value) && !isReference(value)
const isBareKey = (value: string) => isKey(value) && /^[!-~]+$/.test(value)

const asPattern = (...parts: readonly string[]) => new RegExp(parts.join(''))

export const assignmentRules: readonly AnchoredRule[] = [
  named('password', passwordNames, asPattern(noFact, assigned, quoted), isQuotedPassword),
  named('password', passwordNames, asPattern(noFact, assigned, bare), isBarePassword, {
    isBare: true,
  }),
  named('password', shortPasswordNames, asPattern(assignment, quoted), isQuotedPassword, {
    isWord: true,
  }),
  named('password', shortPasswordNames, asPattern(assignment, bare), isBarePassword, {
    isBare: true,
    isWord: true,
  }),
  named('secret_key', keyNames, asPattern(noPosition, noFact, assigned, quoted), isKey),
  named('secret_key', keyNames, asPattern(noPosition, noFact, assigned, bare), isBareKey, {
    isBare: true,
  }),
  named(
    'secret_key',
    [...keyNames, ...passwordNames],
    asPattern(String.raw`(?<=--[\w-]{0,40})[ \t]{1,3}["']?(?<value>[^\s"'\x60<>]{6,300})`),
    (value) => isBarePassword(value) || isBareKey(value),
    { isBare: true },
  ),
  {
    ...named(
      'url_password',
      ['://'],
      /[^\s:/?#@"'<>\\]{0,64}:(?<value>[^\s/"'<>\\]{3,200})(?=@[\w.[-])/,
      isUrlPassword,
    ),
    confidence: 0.9,
  },
]

function isUrlPassword(value: string): boolean {
  if (isPlaceholder(value)) return false
  return /^\d{6,}$/.test(value) || isPassword(value)
}
