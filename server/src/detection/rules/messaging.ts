import { type AnchoredRule, keyNear, named, type ShapeRule, token, tokenAround } from '../rule.ts'
import { isRandomKey, isRandomToken } from '../value-checks.ts'

/*
 * Tokens and webhook addresses of chat, mail and telephony services.
 */

export const messagingTokens: readonly AnchoredRule[] = [
  token(
    'slack_token',
    [
      'xoxb-',
      'xoxp-',
      'xoxa-',
      'xoxr-',
      'xoxs-',
      'xoxo-',
      'xoxe-',
      'xoxc-',
      'xoxd-',
      'xoxe.xoxp-',
      'xoxe.xoxb-',
    ],
    /[\w%-]{20,}/,
  ),
  token('slack_app_token', ['xapp-', 'xwfp-'], /[\w-]{30,}/),
  named(
    'slack_webhook',
    ['hooks.slack.com/'],
    /(?:services|workflows|triggers)\/(?<value>[A-Za-z0-9+/]{30,})/,
    isRandomToken,
    { confidence: 0.9 },
  ),
  named(
    'discord_webhook',
    ['/webhooks/'],
    /(?<=discord(?:app)?\.com\/api(?:\/v\d{1,2})?\/webhooks\/)\d{15,21}\/(?<value>[\w-]{55,})/,
    isRandomToken,
    { confidence: 0.9 },
  ),
  named(
    'teams_webhook',
    ['webhook.office.com/'],
    /webhookb2\/(?<value>[\w@/.-]{60,})/,
    isRandomToken,
    { confidence: 0.9 },
  ),
  tokenAround(
    'telegram_bot_token',
    ':aa',
    /(?<=(?<!\w)(?:bot)?(?<before>\d{8,10})):AA[\w-]{33}(?![\w-])/,
  ),
  token('twilio_key', ['SK'], /[0-9a-f]{32}/),
  token('sendgrid_key', ['SG.'], /[\w-]{20,24}\.[\w-]{39,50}/),
  token('mailgun_key', ['key-', 'pubkey-'], /[0-9a-f]{32}/),
  tokenAround('mailchimp_key', '-us', /(?<=(?<!\w)(?<before>[0-9a-f]{32}))-us\d{1,2}(?!\w)/),
  token('mandrill_key', ['md-'], /[\w-]{22}/),
  token('brevo_key', ['xkeysib-', 'xsmtpsib-'], /[0-9a-f]{64}-[A-Za-z0-9]{16}/),
  token('resend_key', ['re_'], /[A-Za-z0-9]{8}_[A-Za-z0-9]{24}/),
  token('facebook_token', ['EAA'], /[A-Za-z0-9]{100,}/),
  token('x_bearer_token', ['AAAAAAAAAAAAAAAAAAAAA'], /[A-Za-z0-9%]{60,}/),
]

export const messagingKeys: readonly ShapeRule[] = [
  keyNear(
    'discord_bot_token',
    ['discord', 'bot', 'bot_token'],
    /[MNO][A-Za-z0-9_-]{23,27}\.[\w-]{6}\.[\w-]{27,40}/,
    isRandomKey,
  ),
  keyNear('twilio_auth_token', ['twilio'], /[0-9a-f]{32}/, isRandomKey),
  keyNear('mailgun_key', ['mailgun'], /[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}/, isRandomKey),
  keyNear(
    'postmark_token',
    ['postmark'],
    /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/,
    isRandomKey,
  ),
]
