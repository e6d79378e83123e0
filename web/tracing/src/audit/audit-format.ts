import {
  type AuditAction,
  type AuditTarget,
  auditActions,
  auditTargets,
} from '@assay/contract/audit.ts'
import type { AuditLine } from '@assay/contract/audit-log.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { formatLocal } from '@assay/ui/time-format.ts'
import type { AuditScope } from '../api/audit-log.ts'
import { earliestStart } from '../filter/time-range.ts'
import { formatPrice } from '../parts/price-format.ts'

/*
 * Entries of the audit log as text.
 */

/** The actor: an address, or a description. */
export function formatActor({ kind, email }: AuditLine['actor']): string {
  if (email !== null) return email
  return {
    user: 'deleted account',
    'set-up': 'setup',
    'command line': 'command line',
    anonymous: 'anonymous',
  }[kind]
}

export function formatAction(action: AuditAction): string {
  return auditActions[action].label
}

export interface DetailContext {
  readonly nowMs: number
  /** The names of the projects that still exist, by ID. */
  readonly projectNames: ReadonlyMap<string, string>
}

/**
 * The details of an entry: `ana@example.org`, `Viewer → Editor`, `enforced: yes`. Of IDs, only the names of projects:
 * the others say nothing to a person, and are in the export.
 */
export function formatDetails(
  { count, last_at, details }: Pick<AuditLine, 'count' | 'last_at' | 'details'>,
  { nowMs, projectNames }: DetailContext,
): readonly string[] {
  const { from, to, ...others } = details
  const isChange = from !== undefined || to !== undefined
  const change = isChange ? [`${formatEnd(from, nowMs)} → ${formatEnd(to, nowMs)}`] : []
  const rest = Object.entries(others)
    .filter(([name]) => !name.endsWith('_id') || name.endsWith('project_id'))
    .map(([name, value]) => [name, formatValue(value, nowMs)] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => {
      if (name === 'terms') return formatTerms(text)
      if (name.endsWith('_id')) {
        return `${label(name.replace(/_id$/, ''))}: ${projectNames.get(text) ?? 'deleted'}`
      }
      return plain.has(name) ? text : `${label(name)}: ${text}`
    })
  const last = formatLocal(Date.parse(last_at), nowMs)
  const counted = count === 1 ? [] : [`${formatCount(count)} times, last ${last}`]
  return [...counted, ...rest, ...change]
}

/** An end of a change: a role, or an instant. */
function formatEnd(value: unknown, nowMs: number): string {
  if (value === earliestStart) return 'any time'
  return formatValue(value, nowMs)
}

/** `from_project`: `from project`. */
function label(name: string): string {
  return name.replaceAll('_', ' ')
}

/** Values that need no name. */
const plain = new Set(['email', 'name', 'role', 'pattern', 'domain', 'protocol'])

/** The terms of a price or an alias, stored as JSON: `$2.50 in, $10.00 out`. */
function formatTerms(json: string): string {
  try {
    return listTerms(JSON.parse(json)).join(', ')
  } catch {
    return `terms: ${json}`
  }
}

function listTerms(terms: object): readonly string[] {
  return Object.entries(terms)
    .filter(([, value]) => value !== null)
    .flatMap(([name, value]): readonly string[] => {
      if (name === 'long_context') return [listTerms(value).join(' ')]
      if (typeof value === 'object') return listTerms(value)
      if (name === 'above_tokens') return [`above ${formatCount(value)} tokens`]
      if (tiers.has(name)) return [`${name} × ${value}`]
      const part = name.replace(/_usd(_per_mtok)?$/, '')
      if (part === name) return [`${label(name)}: ${value}`]
      return [`${formatPrice(value)} ${priceLabels[part] ?? label(part)}`]
    })
}

const tiers = new Set(['batch', 'flex', 'priority'])

const priceLabels: Readonly<Record<string, string>> = {
  input: 'in',
  output: 'out',
  cache_write_1h: 'cache write (1 h)',
  request: 'per request',
}

/** Empty for a missing value. */
function formatValue(value: unknown, nowMs: number): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map((one) => formatValue(one, nowMs)).join(', ')
  if (typeof value === 'object') {
    return Object.entries(value)
      .map(([name, member]) => `${label(name)}: ${formatValue(member, nowMs)}`)
      .join(', ')
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^\d{4}-\d\d-\d\dT.*Z$/.test(text) ? formatLocal(Date.parse(text), nowMs) : text
}

export interface ActionGroup {
  readonly group: string
  readonly items: readonly { readonly value: AuditAction; readonly label: string }[]
}

/** Groups with a label other than their name. */
const targetLabels: Readonly<Partial<Record<AuditTarget, string>>> = {
  user: 'accounts and sign-in',
  platform_access: 'platform access',
  sso_config: 'single sign-on',
  model_config: 'models',
  master_key: 'stored secrets',
}

/** Actions of people and operators, recorded outside of organizations. */
const platformActions: ReadonlySet<AuditAction> = new Set([
  'service.set_up',
  'session.started',
  'session.refused',
  'session.ended',
  'session.revoked',
  'session.others_revoked',
  'session.handed_over',
  'user.created',
  'user.renamed',
  'user.disabled',
  'user.enabled',
  'password.changed',
  'password.link_made',
  'password.reset',
  'super_admin.granted',
  'super_admin.revoked',
  'platform_access.added',
  'platform_access.removed',
  'master_key.rotated',
] as const satisfies readonly AuditAction[])

/** A failed single sign-on is recorded in the organization, other failures outside of any. */
const isInScope = (action: AuditAction, scope: AuditScope): boolean =>
  action === 'session.refused' || platformActions.has(action) === (scope === 'platform')

/** The actions recorded in a log, grouped by their targets. */
export function actionGroups(scope: AuditScope): readonly ActionGroup[] {
  return auditTargets
    .map((target) => ({
      group: formatTargetGroup(target),
      items: (Object.keys(auditActions) as AuditAction[])
        .filter((action) => auditActions[action].target === target && isInScope(action, scope))
        .map((value) => ({ value, label: formatAction(value) })),
    }))
    .filter(({ items }) => items.length > 0)
}

/** `tracing_key`: `Tracing keys`. */
function formatTargetGroup(target: AuditTarget): string {
  const words = targetLabels[target] ?? `${target.replaceAll('_', ' ')}s`
  return words.charAt(0).toUpperCase() + words.slice(1)
}
