import { getRouteApi } from '@tanstack/react-router'
import { TabFrame } from '../../page/TabFrame.tsx'
import { TabLink } from '../../page/TabLink.tsx'

const route = getRouteApi('/signed-in/p/$projectId/prices')

/** Round every page about what calls of models cost. */
export function PricesFrame() {
  const params = route.useParams()
  return (
    <TabFrame label="Prices">
      <TabLink to="/p/$projectId/prices/models" params={params}>
        Models
      </TabLink>
      <TabLink to="/p/$projectId/prices/custom" params={params}>
        Own prices
      </TabLink>
      <TabLink to="/p/$projectId/prices/recalculate" params={params}>
        Price anew
      </TabLink>
    </TabFrame>
  )
}
