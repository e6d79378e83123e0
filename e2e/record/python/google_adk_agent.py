"""A Google ADK agent that calls the Gemini API."""

import asyncio
import os

from conversation import GEMINI, QUESTION, ROOT_URL, SESSION, SYSTEM, USER, tracer_provider, weather_in

os.environ |= {"GOOGLE_GEMINI_BASE_URL": ROOT_URL, "GOOGLE_API_KEY": "none"}

from google.adk.agents import Agent  # noqa: E402
from google.adk.runners import InMemoryRunner  # noqa: E402
from google.genai import types  # noqa: E402

provider = tracer_provider()


def get_weather(city: str) -> dict:
    """The weather in a city, now."""
    return weather_in(city)


async def main():
    agent = Agent(name="weather", model=GEMINI, instruction=SYSTEM, tools=[get_weather])
    runner = InMemoryRunner(agent=agent, app_name="weather")
    whose = {"user_id": USER, "session_id": SESSION}
    await runner.session_service.create_session(app_name="weather", **whose)
    message = types.Content(role="user", parts=[types.Part(text=QUESTION)])
    async for _event in runner.run_async(new_message=message, **whose):
        pass


asyncio.run(main())
provider.shutdown()
