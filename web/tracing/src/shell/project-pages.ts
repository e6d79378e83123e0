import {
  IconChartHistogram,
  IconChartLine,
  IconCoin,
  IconDatabase,
  IconKey,
  IconListTree,
  IconLogs,
  IconMessages,
  IconSend,
  IconUsers,
} from '@tabler/icons-react'

/*
 * The pages of a project in the order of the navigation, as it and the command palette offer them.
 */

export const projectPages = [
  { to: '/p/$projectId/traces', word: 'Traces', Icon: IconListTree },
  { to: '/p/$projectId/sessions', word: 'Sessions', Icon: IconMessages },
  { to: '/p/$projectId/users', word: 'Users', Icon: IconUsers },
  { to: '/p/$projectId/dashboard', word: 'Dashboard', Icon: IconChartHistogram },
  { to: '/p/$projectId/metrics', word: 'Metrics', Icon: IconChartLine },
  { to: '/p/$projectId/logs', word: 'Logs', Icon: IconLogs },
  { to: '/p/$projectId/prices', word: 'Prices', Icon: IconCoin },
  { to: '/p/$projectId/storage', word: 'Storage', Icon: IconDatabase },
  { to: '/p/$projectId/send', word: 'Send traces', Icon: IconSend },
  { to: '/p/$projectId/keys', word: 'Tracing keys', Icon: IconKey },
] as const
