"""A tool called over MCP with the SDK's own tracing, client and server in one process."""

import asyncio

from conversation import tracer_provider, weather_in
from mcp import Client
from mcp.client._memory import InMemoryTransport
from mcp.server import MCPServer

provider = tracer_provider()
server = MCPServer("weather")


@server.tool()
def get_weather(city: str) -> dict:
    """The weather in a city, now."""
    return weather_in(city)


async def main():
    async with Client(InMemoryTransport(server)) as client:
        await client.list_tools()
        with provider.get_tracer("weather-app").start_as_current_span("answer"):
            await client.call_tool("get_weather", {"city": "Paris"})


asyncio.run(main())
provider.shutdown()
