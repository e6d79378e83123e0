import { type AnchoredRule, keyNear, type ShapeRule, token } from '../rule.ts'
import { isRandomKey } from '../value-checks.ts'

/*
 * Tokens of code hosts, package registries, build services, monitoring and collaboration tools.
 */

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/

export const developerToolTokens: readonly AnchoredRule[] = [
  token('github_token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], /[A-Za-z0-9]{36,}/),
  token('github_fine_grained_token', ['github_pat_'], /[A-Za-z0-9]{22}_[A-Za-z0-9]{59}/),
  token(
    'gitlab_token',
    [
      'glpat-',
      'glptt-',
      'gldt-',
      'glrt-',
      'glrtr-',
      'glcbt-',
      'glft-',
      'glimt-',
      'glagent-',
      'gloas-',
      'glsoat-',
      'glffct-',
      'glwt-',
      'GR1348941',
    ],
    /[\w-]{20,}(?:\.[0-9a-z]{2}\.[0-9a-z]{7,9})?/,
  ),
  token('bitbucket_token', ['ATBB'], /[A-Za-z0-9]{32}/),
  token('atlassian_token', ['ATATT3', 'ATCTT3', 'ATSTT3'], /[\w-]{100,}(?:=[0-9A-F]{8})?/),
  token('npm_token', ['npm_'], /[A-Za-z0-9]{36}/),
  token('pypi_token', ['pypi-'], /[\w-]{70,}/),
  token('rubygems_key', ['rubygems_'], /[0-9a-f]{48}/),
  token('nuget_key', ['oy2'], /[a-z0-9]{43}/),
  token('docker_token', ['dckr_pat_', 'dckr_oat_'], /[\w-]{27,}/),
  token('jfrog_key', ['AKCp'], /[A-Za-z0-9]{69}/),
  token('crates_io_token', ['cio'], /[A-Za-z0-9]{32}/),
  token('sentry_token', ['sntrys_'], /eyJ[A-Za-z0-9+/=]{40,}_[\w+/-]{40,}/),
  token('sentry_token', ['sntryu_'], /[0-9a-f]{64}/),
  token('new_relic_key', ['NRAK-', 'NRII-', 'NRJS-', 'NRIQ-', 'NRSP-'], /[\w-]{19,}/),
  token('grafana_token', ['glsa_'], /[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}/),
  token('grafana_token', ['glc_eyJ', 'eyJrIjoi'], /[A-Za-z0-9+/]{50,}={0,3}/),
  token('linear_key', ['lin_api_', 'lin_oauth_'], /[A-Za-z0-9]{40,}/),
  token('notion_token', ['ntn_'], /[A-Za-z0-9]{40,}/),
  token('notion_token', ['secret_'], /[A-Za-z0-9]{43}/),
  token('figma_token', ['figd_', 'figo_', 'figu_'], /[\w-]{36,}/),
  token('airtable_token', ['pat'], /[A-Za-z0-9]{14}\.[0-9a-f]{64}/),
  token('hubspot_token', ['pat-na1-', 'pat-na2-', 'pat-eu1-', 'pat-ap1-'], uuid),
  token('postman_key', ['PMAK-'], /[0-9a-f]{24}-[0-9a-f]{34}/),
  token('circleci_token', ['CCIPAT_', 'CCIPRJ_'], /[A-Za-z0-9]{20,}_[0-9a-f]{40}/),
  token('buildkite_token', ['bkua_'], /[0-9a-f]{40}/),
  token('sonar_token', ['squ_', 'sqp_', 'sqa_'], /[0-9a-f]{40}/),
  token('contentful_token', ['CFPAT-'], /[\w-]{43}/),
  token('clickup_token', ['pk_'], /\d{5,10}_[A-Z0-9]{32}/),
  token('dynatrace_token', ['dt0c01.', 'dt0s01.', 'dt0s16.'], /[A-Z0-9]{24}\.[A-Z0-9]{64}/),
  token('posthog_key', ['phx_'], /[A-Za-z0-9]{40,}/),
  token('typeform_token', ['tfp_'], /[\w-]{40,}/),
  token('prefect_key', ['pnu_', 'pnb_'], /[A-Za-z0-9]{36}/),
  token('okta_token', ['SSWS '], /00[\w-]{40}/),
  token('launchdarkly_key', ['sdk-', 'mob-'], uuid),
]

export const developerToolKeys: readonly ShapeRule[] = [
  keyNear(
    'datadog_key',
    ['datadog', 'dd_api_key', 'dd_app_key', 'dd-api-key', 'dd-application-key'],
    /[0-9a-f]{32}|[0-9a-f]{40}/,
    isRandomKey,
  ),
  keyNear(
    'new_relic_key',
    ['new relic', 'new_relic', 'newrelic'],
    /[0-9a-f]{36}NRAL|[0-9a-f]{40}/,
    isRandomKey,
  ),
  keyNear(
    'sentry_token',
    ['sentry_auth', 'sentry auth', 'sentry token'],
    /[0-9a-f]{64}/,
    isRandomKey,
  ),
  keyNear('snyk_token', ['snyk_token', 'snyk token', 'snyk api'], uuid, isRandomKey),
  keyNear('asana_token', ['asana'], /[12]\/\d{12,20}(?:\/\d{12,20})?:[0-9a-f]{32}/, isRandomKey),
  keyNear('algolia_key', ['algolia'], /[0-9a-f]{32}/, isRandomKey),
  keyNear('airtable_key', ['airtable'], /key[A-Za-z0-9]{14}/, isRandomKey),
]
