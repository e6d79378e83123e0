import { Problem } from '@assay/ui/Problem.tsx'
import { useQuery } from '@tanstack/react-query'
import { directoryQuery } from '../../api/projects.ts'
import { TabFrame } from '../../page/TabFrame.tsx'
import { TabLink } from '../../page/TabLink.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { useOrganization } from '../../shell/use-organization.ts'

/** Round every page of an organization's settings: makes sure there is one, and links the pages it has for the person. */
export function OrganizationFrame() {
  const current = useOrganization()
  const directory = useQuery(directoryQuery)
  if (current === undefined) {
    return (
      <Problem
        title="There is no such organization"
        onRetry={() => void directory.refetch()}
        actions={
          <LinkButton to="/" variant="subtle">
            To your projects
          </LinkButton>
        }
      >
        It may have been removed, or you are no member of it any more.
      </Problem>
    )
  }
  const { organization, can } = current
  const params = { orgId: organization.id }
  return (
    // A change of organization begins its pages anew: nothing of one may show in another.
    <TabFrame key={organization.id} label={`Settings of ${organization.name}`}>
      <TabLink to="/o/$orgId/settings/general" params={params}>
        General
      </TabLink>
      <TabLink to="/o/$orgId/settings/members" params={params}>
        Members
      </TabLink>
      {can('manage_members') && (
        <TabLink to="/o/$orgId/settings/invites" params={params}>
          Invites
        </TabLink>
      )}
      <TabLink to="/o/$orgId/settings/roles" params={params}>
        Roles
      </TabLink>
      <TabLink to="/o/$orgId/settings/projects" params={params}>
        Projects
      </TabLink>
      {can('manage_sso') && (
        <TabLink to="/o/$orgId/settings/single-sign-on" params={params}>
          Single sign-on
        </TabLink>
      )}
      {can('manage_org_settings') && (
        <TabLink to="/o/$orgId/settings/audit-log" params={params}>
          Audit log
        </TabLink>
      )}
    </TabFrame>
  )
}
