/*
 * Invents credentials in the shape of each provider. They are composed here, so that no file contains one.
 */

export type Random = () => number

/** The same numbers for the same seed. */
export function seededRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new RangeError('There is nothing to pick from.')
  return item
}

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
const lower = 'abcdefghijklmnopqrstuvwxyz'.split('')
const digits = '0123456789'.split('')
const alphabets = {
  hex: '0123456789abcdef'.split(''),
  digits,
  upper,
  lower,
  lowerAndDigits: [...lower, ...digits],
  upperAndDigits: [...upper, ...digits],
  alphanumeric: [...upper, ...lower, ...digits],
  base32: [...upper, ...digits.slice(2, 8)],
  base64: [...upper, ...lower, ...digits, '+', '/'],
  base64url: [...upper, ...lower, ...digits, '-', '_'],
} as const

function letters(random: Random, alphabet: keyof typeof alphabets, length: number): string {
  return Array.from({ length }, () => pick(random, alphabets[alphabet])).join('')
}

/** A shape is literal text with parts such as `{alphanumeric:36}`. */
export function compose(random: Random, shape: string): string {
  return shape.replace(/\{(\w+):(\d+)\}/g, (_, alphabet: keyof typeof alphabets, length: string) =>
    letters(random, alphabet, Number(length)),
  )
}

const uuid = '{hex:8}-{hex:4}-4{hex:3}-a{hex:3}-{hex:12}'

/** Tokens that their prefix identifies, by type. */
export const tokenShapes: readonly (readonly [type: string, shape: string])[] = [
  ['assay_key', 'tk_live_{hex:48}'],
  ['assay_key', 'tk_test_{hex:48}'],
  ['anthropic_key', 'sk-ant-api03-{base64url:93}AA'],
  ['anthropic_key', 'sk-ant-admin01-{base64url:93}AA'],
  ['openai_key', 'sk-{alphanumeric:20}T3BlbkFJ{alphanumeric:20}'],
  ['openai_key', 'sk-proj-{base64url:74}T3BlbkFJ{base64url:74}'],
  ['openai_key', 'sk-svcacct-{base64url:74}T3BlbkFJ{base64url:74}'],
  ['openrouter_key', 'sk-or-v1-{hex:64}'],
  ['google_api_key', 'AIza{base64url:35}'],
  ['hugging_face_token', 'hf_{alphanumeric:34}'],
  ['groq_key', 'gsk_{alphanumeric:52}'],
  ['perplexity_key', 'pplx-{alphanumeric:48}'],
  ['replicate_token', 'r8_{alphanumeric:37}'],
  ['xai_key', 'xai-{alphanumeric:80}'],
  ['bedrock_key', 'ABSK{base64:128}'],
  ['langfuse_key', `sk-lf-${uuid}`],
  ['langsmith_key', 'lsv2_pt_{hex:32}_{hex:10}'],
  ['aws_access_key_id', 'AKIA{base32:16}'],
  ['aws_access_key_id', 'ASIA{base32:16}'],
  ['aws_session_token', 'IQoJb3JpZ2lu{base64:300}'],
  ['gcp_oauth_secret', 'GOCSPX-{base64url:28}'],
  ['gcp_access_token', 'ya29.{base64url:120}'],
  ['gcp_refresh_token', '1//0{base64url:60}'],
  ['azure_ad_secret', '{alphanumeric:3}8Q~{alphanumeric:34}'],
  ['digitalocean_token', 'dop_v1_{hex:64}'],
  ['cloudflare_origin_key', 'v1.0-{hex:24}-{hex:146}'],
  ['fly_token', 'fo1_{base64url:43}'],
  ['vercel_token', 'vcp_{alphanumeric:56}'],
  ['netlify_token', 'nfp_{alphanumeric:36}'],
  ['supabase_token', 'sbp_{hex:40}'],
  ['supabase_secret_key', 'sb_secret_{base64url:31}'],
  ['planetscale_token', 'pscale_tkn_{alphanumeric:43}'],
  ['alibaba_access_key_id', 'LTAI{alphanumeric:20}'],
  ['databricks_token', 'dapi{hex:32}'],
  ['vault_token', 'hvs.{alphanumeric:90}'],
  ['terraform_token', '{alphanumeric:14}.atlasv1.{base64url:67}'],
  ['pulumi_token', 'pul-{hex:40}'],
  ['doppler_token', 'dp.pt.{alphanumeric:43}'],
  ['doppler_token', 'dp.st.prd.{alphanumeric:43}'],
  [
    'onepassword_secret_key',
    'A3-{upperAndDigits:6}-{upperAndDigits:11}-{upperAndDigits:5}-{upperAndDigits:5}-{upperAndDigits:5}',
  ],
  ['age_secret_key', 'AGE-SECRET-KEY-1{upperAndDigits:58}'],
  ['tailscale_key', 'tskey-auth-{alphanumeric:12}CNTRL-{alphanumeric:32}'],
  ['github_token', 'ghp_{alphanumeric:36}'],
  ['github_token', 'gho_{alphanumeric:36}'],
  ['github_token', 'ghs_{alphanumeric:36}'],
  ['github_token', 'ghr_{alphanumeric:76}'],
  ['github_fine_grained_token', 'github_pat_{alphanumeric:22}_{alphanumeric:59}'],
  ['gitlab_token', 'glpat-{base64url:20}'],
  ['gitlab_token', 'glptt-{hex:40}'],
  ['gitlab_token', 'glrt-{base64url:20}'],
  ['bitbucket_token', 'ATBB{alphanumeric:32}'],
  ['atlassian_token', 'ATATT3xFfGF0{base64url:172}=A1B2C3D4'],
  ['npm_token', 'npm_{alphanumeric:36}'],
  ['pypi_token', 'pypi-AgEIcHlwaS5vcmc{base64url:140}'],
  ['rubygems_key', 'rubygems_{hex:48}'],
  ['nuget_key', 'oy2{lowerAndDigits:43}'],
  ['docker_token', 'dckr_pat_{base64url:27}'],
  ['sentry_token', 'sntryu_{hex:64}'],
  ['new_relic_key', 'NRAK-{upperAndDigits:27}'],
  ['grafana_token', 'glsa_{alphanumeric:32}_{hex:8}'],
  ['linear_key', 'lin_api_{alphanumeric:40}'],
  ['notion_token', 'ntn_{alphanumeric:46}'],
  ['figma_token', 'figd_{base64url:40}'],
  ['airtable_token', 'pat{alphanumeric:14}.{hex:64}'],
  ['hubspot_token', `pat-na1-${uuid}`],
  ['postman_key', 'PMAK-{hex:24}-{hex:34}'],
  ['stripe_key', 'sk_live_{alphanumeric:24}'],
  ['stripe_key', 'rk_live_{alphanumeric:99}'],
  ['stripe_webhook_secret', 'whsec_{alphanumeric:32}'],
  ['square_token', 'sq0csp-{base64url:43}'],
  ['paypal_token', 'access_token$production${lowerAndDigits:16}${hex:32}'],
  ['shopify_token', 'shpat_{hex:32}'],
  ['razorpay_key', 'rzp_live_{alphanumeric:14}'],
  ['slack_token', 'xoxb-{digits:12}-{digits:13}-{alphanumeric:24}'],
  ['slack_token', 'xoxp-{digits:12}-{digits:12}-{digits:13}-{hex:32}'],
  ['slack_app_token', 'xapp-1-A{upperAndDigits:10}-{digits:13}-{hex:64}'],
  ['telegram_bot_token', '{digits:10}:AA{base64url:33}'],
  ['twilio_key', 'SK{hex:32}'],
  ['sendgrid_key', 'SG.{base64url:22}.{base64url:43}'],
  ['mailgun_key', 'key-{hex:32}'],
  ['mailchimp_key', '{hex:32}-us14'],
  ['brevo_key', 'xkeysib-{hex:64}-{alphanumeric:16}'],
  ['resend_key', 're_{alphanumeric:8}_{alphanumeric:24}'],
]

/** Keys that need their name, by type: the value is the part after `=>`. */
export const namedShapes: readonly (readonly [type: string, shape: string])[] = [
  ['aws_secret_access_key', 'aws_secret_access_key = =>{base64:40}'],
  [
    'azure_storage_key',
    'DefaultEndpointsProtocol=https;AccountName=acme;AccountKey==>{base64:86}==',
  ],
  [
    'azure_sas',
    'https://acme.blob.core.windows.net/c?sv=2024-11-04&sp=r&sig==>{alphanumeric:40}%3D',
  ],
  ['cloudflare_token', 'CF_API_TOKEN==>{alphanumeric:40}'],
  ['mistral_key', 'MISTRAL_API_KEY==>{alphanumeric:32}'],
  ['cohere_key', 'cohere.Client("=>{alphanumeric:40}'],
  ['datadog_key', 'DD_API_KEY: =>{hex:32}'],
  ['heroku_key', `HEROKU_API_KEY==>${uuid}`],
  ['twilio_auth_token', 'Twilio auth: =>{hex:32}'],
  ['discord_bot_token', 'discord client.login =>M{alphanumeric:25}.{base64url:6}.{base64url:38}'],
  [
    'slack_webhook',
    'https://hooks.slack.com/services/=>T{upperAndDigits:8}/B{upperAndDigits:8}/{alphanumeric:24}',
  ],
  ['discord_webhook', 'https://discord.com/api/webhooks/{digits:18}/=>{base64url:68}'],
  [
    'teams_webhook',
    `https://acme.webhook.office.com/webhookb2/=>${uuid}@${uuid}/IncomingWebhook/{hex:32}/${uuid}`,
  ],
  ['password', 'DB_PASSWORD="=>{alphanumeric:9}#{digits:2}'],
  ['password', 'password: =>{alphanumeric:10}!{digits:1}'],
  ['password', '{"user": "ana", "password": "=>{alphanumeric:12}{digits:2}'],
  ['password', 'Server=db;Uid=sa;Pwd==>{alphanumeric:10}{digits:2}'],
  ['password', 'my password is =>{lower:6}{digits:3}!'],
  ['password', 'The password for the staging server is =>{upper:1}{lower:6}{digits:3}'],
  ['password', 'Das Passwort lautet =>{upper:1}{lower:6}{digits:3}!'],
  ['password', 'Le mot de passe est =>{upper:1}{lower:6}{digits:3}!'],
  ['password', 'La contraseña es =>{upper:1}{lower:6}{digits:3}!'],
  ['password', 'A senha é =>{upper:1}{lower:6}{digits:3}!'],
  ['password', 'La password è =>{upper:1}{lower:6}{digits:3}!'],
  ['password', 'Het wachtwoord is =>{upper:1}{lower:6}{digits:3}!'],
  ['password', 'Hasło to =>{upper:1}{lower:6}{digits:3}!'],
  ['password', 'Пароль: =>{upper:1}{lower:6}{digits:3}!'],
  ['password', '密码是=>{upper:1}{lower:6}{digits:3}!'],
  ['password', 'パスワードは=>{upper:1}{lower:6}{digits:3}!'],
  ['password', 'curl -u admin:=>{alphanumeric:10}{digits:2}'],
  ['secret_key', 'client_secret==>{alphanumeric:30}{digits:2}'],
  ['secret_key', 'const apiKey = "=>{alphanumeric:22}{digits:2}'],
  ['secret_key', 'x-api-key: =>{hex:32}'],
  ['secret_key', 'deploy --token =>{alphanumeric:28}{digits:2}'],
  ['url_password', 'postgres://app:=>{alphanumeric:14}{digits:2}'],
  ['bearer_token', 'Authorization: Bearer =>{base64url:40}'],
]
