"""Logfire's instrumentation of an OpenAI Agents SDK agent."""

import logfire
from agents import Agent, RunConfig, Runner, function_tool, set_default_openai_client
from conversation import MODEL, MODEL_URL, QUESTION, SYSTEM, weather_in
from openai import AsyncOpenAI

# Its exporter is configured by OpenTelemetry's environment variables.
logfire.configure(send_to_logfire=False, console=False, metrics=False, service_version="1.0.0")
logfire.instrument_openai_agents()
client = AsyncOpenAI(base_url=MODEL_URL, api_key="none", max_retries=0)
set_default_openai_client(client, use_for_tracing=False)


@function_tool
def get_weather(city: str) -> dict:
    """The weather in a city, now."""
    return weather_in(city)


agent = Agent(name="weather", instructions=SYSTEM, model=MODEL, tools=[get_weather])
# Logfire scrubs values that contain "session".
Runner.run_sync(agent, QUESTION, run_config=RunConfig(group_id="thread-1"))
logfire.shutdown()
