"""A Microsoft Agent Framework agent with its own spans."""

import asyncio

from agent_framework import Agent
from agent_framework.observability import enable_sensitive_telemetry, enable_instrumentation
from agent_framework.openai import OpenAIChatCompletionClient
from conversation import MODEL, MODEL_URL, QUESTION, SYSTEM, tracer_provider, weather_in

provider = tracer_provider()
enable_instrumentation()
enable_sensitive_telemetry()


def get_weather(city: str) -> dict:
    """The weather in a city, now."""
    return weather_in(city)


async def main():
    client = OpenAIChatCompletionClient(model=MODEL, base_url=MODEL_URL, api_key="none")
    agent = Agent(client=client, name="weather", instructions=SYSTEM, tools=[get_weather])
    await agent.run(QUESTION)


asyncio.run(main())
provider.shutdown()
