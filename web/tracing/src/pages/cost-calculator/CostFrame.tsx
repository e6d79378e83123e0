import { Outlet } from '@tanstack/react-router'
import { TabFrame } from '../../page/TabFrame.tsx'
import { useCurrentPage } from '../../shell/use-pages.ts'
import { useProject } from '../../shell/use-project.ts'
import { estimateSearch } from './estimate-search.ts'

/** Wraps the pages of the cost calculator. The agent and its estimate share the settings in the URL. */
export function CostFrame() {
  const { project } = useProject()
  const isOfDraft = useCurrentPage()?.search === estimateSearch
  return (
    <TabFrame
      label="Cost calculator"
      section="/p/$projectId/cost-calculator"
      params={{ projectId: project.id }}
      sharesSearch={({ search }) => isOfDraft && search === estimateSearch}
    >
      <Outlet />
    </TabFrame>
  )
}
