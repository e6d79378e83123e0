import {
  type AuditAction,
  type AuditTarget,
  auditActions,
  auditTargets,
} from '@assay/contract/audit.ts'
import type { AuditLine } from '@assay/contract/audit-log.ts'

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
    nobody: 'anonymous',
  }[kind]
}

export function formatAction(action: AuditAction): string {
  return auditActions[action].label
}

/** The details of an entry: `ana@example.org`, `Viewer → Editor`, `enforced: yes`. */
export function formatDetails({ details }: Pick<AuditLine, 'details'>): readonly string[] {
  const { from, to, ...others } = details
  const change = from === undefined && to === undefined ? [] : [`${textOf(from)} → ${textOf(to)}`]
  const rest = Object.entries(others)
    .filter(([, value]) => value !== null && value !== undefined && textOf(value) !== '')
    .flatMap(([name, value]) => {
      if (name === 'terms' && typeof value === 'string') return formatTerms(value)
      return plain.has(name) ? textOf(value) : `${name.replaceAll('_', ' ')}: ${textOf(value)}`
    })
  return [...rest, ...change]
}

/** Values that need no name. */
const plain = new Set(['email', 'name', 'role', 'pattern', 'domain', 'protocol'])

/** The terms of a price or an alias, stored as JSON: `input: $2.5`. */
function formatTerms(json: string): readonly string[] {
  try {
    return termsOf(JSON.parse(json)).map(([label, text]) => `${label}: ${text}`)
  } catch {
    return [`terms: ${json}`]
  }
}

function termsOf(terms: object): (readonly [label: string, text: string])[] {
  return Object.entries(terms)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => {
      const label = name.replace(/_usd(_per_mtok)?$/, '').replaceAll('_', ' ')
      if (typeof value !== 'object') return [label, `${/_usd/.test(name) ? '$' : ''}${value}`]
      const parts = termsOf(value).map(([part, text]) => `${part} ${text}`)
      return [label, parts.join(', ')]
    })
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
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
  master_key: 'stored secrets',
}

/** Every action, grouped by its target. */
export const actionGroups: readonly ActionGroup[] = auditTargets.map((target) => ({
  group: formatTargetGroup(target),
  items: (Object.keys(auditActions) as AuditAction[])
    .filter((action) => auditActions[action].target === target)
    .map((value) => ({ value, label: formatAction(value) })),
}))

/** `tracing_key`: `Tracing keys`. */
function formatTargetGroup(target: AuditTarget): string {
  const words = targetLabels[target] ?? `${target.replaceAll('_', ' ')}s`
  return words.charAt(0).toUpperCase() + words.slice(1)
}
