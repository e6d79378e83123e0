"""An Agno agent, instrumented by OpenInference."""

from agno.agent import Agent
from conversation import (
    CLAUDE,
    MODEL,
    MODEL_URL,
    PROVIDER,
    QUESTION,
    ROOT_URL,
    SESSION,
    SYSTEM,
    USER,
    tracer_provider,
    weather_in,
)
from openinference.instrumentation.agno import AgnoInstrumentor

provider = tracer_provider()
AgnoInstrumentor().instrument(tracer_provider=provider)


def get_weather(city: str) -> dict:
    """The weather in a city, now."""
    return weather_in(city)


def model():
    if PROVIDER == "anthropic":
        from agno.models.anthropic import Claude

        return Claude(id=CLAUDE, api_key="none", client_params={"base_url": ROOT_URL})
    from agno.models.openai import OpenAIChat

    return OpenAIChat(id=MODEL, base_url=MODEL_URL, api_key="none")


agent = Agent(name="weather", model=model(), tools=[get_weather], instructions=SYSTEM, telemetry=False)
agent.run(QUESTION, session_id=SESSION, user_id=USER)
provider.shutdown()
