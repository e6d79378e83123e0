import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { Problem } from '@assay/ui/Problem.tsx'
import { TabFrame } from '../../page/TabFrame.tsx'
import { SectionPage } from '../../shell/SectionPage.tsx'
import { OrganizationContext, useOrganizationOfAddress } from '../../shell/use-organization.ts'

/** Wraps the settings pages of an organization, if it exists and is accessible. */
export function OrganizationFrame() {
  const current = useOrganizationOfAddress()
  if (current === undefined) {
    return (
      <Problem
        isPage
        isMissing
        title="Organization not found"
        actions={
          <LinkButton to="/" variant="default">
            Home
          </LinkButton>
        }
      >
        It may have been deleted, or you don't belong to it anymore.
      </Problem>
    )
  }
  const { organization, can } = current
  return (
    // The key resets the pages when the organization changes, so that no state leaks into another.
    <OrganizationContext key={organization.id} value={current}>
      <TabFrame
        label={`Settings of ${organization.name}`}
        section="/o/$orgId/settings"
        params={{ orgId: organization.id }}
        can={can}
      >
        <SectionPage access={current} />
      </TabFrame>
    </OrganizationContext>
  )
}
