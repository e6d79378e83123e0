import { expect, test } from 'vitest'
import { openServiceMetrics } from './service-metrics.ts'

test('notifications between processes are counted by direction and topic, and their state is shown', async () => {
  let isConnected = true
  let received = 2
  const metrics = openServiceMetrics()
  metrics.addNotifications({
    counts: () => ({
      sent: { jobs: 1, prices: 3 },
      received: { replies: received },
      gaps: 4,
      lostConnections: 5,
    }),
    isConnected: () => isConnected,
  })
  expect(await samples()).toEqual([
    'assay_notifications_total{direction="sent",topic="jobs"} 1',
    'assay_notifications_total{direction="sent",topic="prices"} 3',
    'assay_notifications_total{direction="received",topic="replies"} 2',
    'assay_notification_gaps_total 4',
    'assay_notification_connections_lost_total 5',
    'assay_notifications_connected 1',
  ])
  isConnected = false
  received = 7
  expect(await samples()).toContain('assay_notifications_connected 0')
  expect(await samples()).toContain(
    'assay_notifications_total{direction="received",topic="replies"} 7',
  )

  async function samples(): Promise<readonly string[]> {
    const text = await metrics.text()
    return text.split('\n').filter((line) => line.startsWith('assay_notification'))
  }
})
