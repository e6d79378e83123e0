import { useCurrentPage } from '@assay/account/routes/use-pages.ts'
import { Outlet } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { createLiveRuns } from '../../api/live-runs.ts'
import { TabFrame } from '../../page/TabFrame.tsx'
import { useProject } from '../../shell/use-project.ts'
import { estimateSearch } from './estimate-search.ts'
import { LiveContext } from './live-context.ts'

/** Wraps the pages of the cost calculator. The agent and its estimate share the settings in the URL. */
export function CostFrame() {
  const { project } = useProject()
  const isOfDraft = useCurrentPage()?.search === estimateSearch
  const [live] = useState(createLiveRuns)
  useEffect(() => live.stopAll, [live])
  return (
    <TabFrame
      label="Cost calculator"
      section="/p/$projectId/cost-calculator"
      params={{ projectId: project.id }}
      sharesSearch={({ search }) => isOfDraft && search === estimateSearch}
    >
      <LiveContext value={live}>
        <Outlet />
      </LiveContext>
    </TabFrame>
  )
}
