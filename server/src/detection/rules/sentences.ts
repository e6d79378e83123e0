import { type AnchoredRule, named } from '../rule.ts'
import { isPassword, isRandomKey, isReference } from '../value-checks.ts'

/*
 * Passwords and keys in sentences of several languages, in headers and on command lines.
 */

const spaces = '[ \\t]{1,3}'
/** The longer name of the password, and a verb: "password for the staging server is now". */
const linked = String.raw`s?(?:${spaces}(?:for|to|of|on|at|in|pour|für|para|per|do|dla|voor|для|от)(?:${spaces}[^\s:]{1,30}){1,4}?)?${spaces}(?:is|was|are|will be|set to|ist|lautet|est|es|é|è|será|sarà|e|to|jest|brzmi|это|är|[=:—-])(?:${spaces}(?:now|still|just|jetzt|maintenant|ahora|agora))?:?${spaces}`
const linkedWithoutSpaces = String.raw`\s{0,3}(?:是|为|為|は|が|는|은|:)[ \t:]{0,3}`
const spokenValue = String.raw`["'\x60]?(?<value>[!-&(-~]{6,100})`

const notPasswords =
  /^(?:sha-?\d|base64|md5|utf-?\d|aes-?\d|argon2|pbkdf2|oauth|http|\d+[-+]?(?:char|digit|letter|day|bit|min|h)|\d+[-–]\d+$)/i

const isSpokenPassword = (value: string) =>
  isPassword(value) && /[A-Za-z]/.test(value) && !notPasswords.test(value) && !isReference(value)
const isSpokenKey = (value: string) =>
  value.length >= 12 && isRandomKey(value) && !isReference(value)

function isBasicCredential(value: string): boolean {
  const decoded = Buffer.from(value, 'base64').toString('latin1')
  const [user, password = ''] = decoded.split(/:(.*)/s)
  return user !== '' && password.length >= 4 && /^[ -~]+$/.test(decoded) && isPassword(password)
}

export const sentenceRules: readonly AnchoredRule[] = [
  named(
    'password',
    [
      'password',
      'passphrase',
      'passcode',
      'passwort',
      'kennwort',
      'mot de passe',
      'contraseña',
      'contrasena',
      'senha',
      'wachtwoord',
      'hasło',
      'haslo',
      'пароль',
      'lösenord',
      "parola d'ordine",
    ],
    new RegExp(`${linked}${spokenValue}`),
    isSpokenPassword,
    { isBare: true },
  ),
  named(
    'password',
    ['密码', '密碼', 'パスワード', '비밀번호'],
    new RegExp(`${linkedWithoutSpaces}${spokenValue}`),
    isSpokenPassword,
    { isBare: true },
  ),
  named(
    'secret_key',
    ['api key', 'api token', 'access token', 'access key', 'secret key', 'secret', 'token'],
    new RegExp(`${linked}${spokenValue}`),
    isSpokenKey,
    { isBare: true },
  ),
  named('bearer_token', ['bearer '], /(?<value>[\w.~+/=-]{16,1000})/, isRandomKey, {
    isBare: true,
  }),
  named('basic_credential', ['basic '], /(?<value>[A-Za-z0-9+/]{8,400}={0,2})/, isBasicCredential),
  named(
    'password',
    ['curl '],
    /[^\n]{0,120}?(?:-u|--user)[ =]["']?[^\s:"']{1,64}:(?<value>[^\s"']{4,200})/,
    (value) => isPassword(value) || isRandomKey(value),
  ),
]
