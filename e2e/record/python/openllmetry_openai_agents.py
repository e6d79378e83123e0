"""The OpenAI Agents SDK, instrumented by OpenLLMetry."""

from agents import Agent, RunConfig, Runner, function_tool, set_default_openai_client
from conversation import MODEL, MODEL_URL, QUESTION, SESSION, SYSTEM, tracer_provider, weather_in
from openai import AsyncOpenAI
from opentelemetry.instrumentation.openai_agents import OpenAIAgentsInstrumentor

provider = tracer_provider()
OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)
client = AsyncOpenAI(base_url=MODEL_URL, api_key="none", max_retries=0)
set_default_openai_client(client, use_for_tracing=False)


@function_tool
def get_weather(city: str) -> dict:
    """The weather in a city, now."""
    return weather_in(city)


agent = Agent(name="weather", instructions=SYSTEM, model=MODEL, tools=[get_weather])
Runner.run_sync(agent, QUESTION, run_config=RunConfig(group_id=SESSION))
provider.shutdown()
