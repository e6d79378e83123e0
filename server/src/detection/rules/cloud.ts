import { type AnchoredRule, keyNear, named, type ShapeRule, token, tokenAround } from '../rule.ts'
import { isRandomKey, isRandomToken } from '../value-checks.ts'

/*
 * Credentials of cloud platforms, hosting and secret stores.
 */

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/

export const cloudTokens: readonly AnchoredRule[] = [
  token('aws_access_key_id', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], /[A-Z2-7]{16}/),
  token('aws_session_token', ['FwoGZXIvYXdz', 'IQoJb3JpZ2lu'], /[A-Za-z0-9+/]{100,}={0,2}/),
  token('gcp_oauth_secret', ['GOCSPX-'], /[\w-]{28}/),
  token('gcp_access_token', ['ya29.'], /[\w-]{30,}/),
  token('gcp_refresh_token', ['1//0'], /[\w-]{40,}/),
  named('azure_storage_key', ['accountkey='], /(?<value>[\w+/]{86}==)/, isRandomToken, {
    confidence: 0.9,
  }),
  named('azure_shared_access_key', ['sharedaccesskey='], /(?<value>[\w+/]{43}=)/, isRandomToken, {
    confidence: 0.9,
  }),
  named(
    'azure_sas',
    ['sig='],
    /(?<=[?&;"']sig=)(?<value>[\w+/-]{20,}(?:%2[bf][\w+/-]*)*(?:%3d|=)?)/i,
    isRandomKey,
    { confidence: 0.9 },
  ),
  tokenAround('azure_ad_secret', 'q~', /(?<=(?<![\w~.-])(?<before>[\w~.-]{3}\d))Q~[\w~.-]{31,34}/),
  token('digitalocean_token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], /[0-9a-f]{64}/),
  token('cloudflare_origin_key', ['v1.0-'], /[0-9a-f]{24}-[0-9a-f]{146}/),
  token('fly_token', ['fm1_', 'fm1r_', 'fm1a_', 'fm2_'], /[A-Za-z0-9+/]{80,}={0,3}/),
  token('fly_token', ['fo1_'], /[\w-]{43}/),
  token('vercel_token', ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], /[A-Za-z0-9]{24,}/),
  token('netlify_token', ['nfp_', 'nfc_', 'nfo_', 'nfu_'], /[A-Za-z0-9]{36,}/),
  token('supabase_token', ['sbp_'], /[0-9a-f]{40}/),
  token('supabase_secret_key', ['sb_secret_'], /[\w-]{28,}/),
  token('planetscale_token', ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], /[\w=.-]{32,}/),
  token('heroku_key', ['HRKU-'], /[\w-]{36,}/),
  token('alibaba_access_key_id', ['LTAI'], /[A-Za-z0-9]{16,}/),
  token('tencent_secret_id', ['AKID'], /[A-Za-z0-9]{32,}/),
  token('databricks_token', ['dapi'], /[0-9a-f]{32}(?:-\d)?/),
  token(
    'snowflake_token',
    ['ver:1-hint:', 'ver:2-hint:', 'ver:3-hint:'],
    /\d+-ETMs[A-Za-z0-9+/]{80,}={0,2}/,
  ),
  token('vault_token', ['hvs.', 'hvb.', 'hvr.'], /[\w-]{24,}/),
  tokenAround(
    'terraform_token',
    '.atlasv1.',
    /(?<=(?<!\w)(?<before>[A-Za-z0-9]{14}))\.atlasv1\.[\w-]{60,}/,
  ),
  token('pulumi_token', ['pul-'], /[0-9a-f]{40}/),
  token(
    'doppler_token',
    ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'],
    /(?:[\w-]{1,35}\.)?[A-Za-z0-9]{40,44}/,
  ),
  token('onepassword_service_token', ['ops_eyJ'], /[A-Za-z0-9+/_-]{200,}={0,3}/),
  token(
    'onepassword_secret_key',
    ['A3-'],
    /[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}/,
  ),
  token('age_secret_key', ['AGE-SECRET-KEY-1'], /[0-9A-Z]{58}/),
  token('tailscale_key', ['tskey-auth-', 'tskey-api-', 'tskey-client-'], /[\w-]{20,}/),
  token('oracle_key', ['ocid1.credential.'], /[\w.-]{40,}/),
]

export const cloudKeys: readonly ShapeRule[] = [
  keyNear(
    'aws_secret_access_key',
    [
      'aws_secret',
      'secret_access_key',
      'secretaccesskey',
      'secret access key',
      'aws secret',
      'aws key',
    ],
    /(?<![+/])[A-Za-z0-9+/]{40}(?![+/=])/,
    (value) => isRandomKey(value) && /[A-Z]/.test(value) && /[a-z]/.test(value),
  ),
  keyNear(
    'cloudflare_token',
    ['cloudflare', 'cf_api', 'CF_TOKEN'],
    /[\w-]{40}|[0-9a-f]{37}/,
    isRandomKey,
  ),
  keyNear(
    'vercel_token',
    ['vercel_token', 'vercel token', 'vercel api'],
    /[A-Za-z0-9]{24}/,
    isRandomKey,
  ),
  keyNear('heroku_key', ['heroku'], uuid, isRandomKey),
  keyNear(
    'vault_token',
    ['vault_token', 'x-vault-token', 'vault token'],
    /s\.[A-Za-z0-9]{24}/,
    isRandomKey,
  ),
]
